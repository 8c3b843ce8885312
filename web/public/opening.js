// Runs while the interface is still on its way and the browser has nothing else to do: to make the first formatter of a
// kind takes it long, and the next ones are made at once. Between them it may paint and answer. Small pages show no times.
const formatters = [Intl.NumberFormat, Intl.PluralRules];
if (!matchMedia("(max-width: 719px)").matches) formatters.push(Intl.DateTimeFormat);
for (const formatter of formatters) {
  setTimeout(() => formatter.supportedLocalesOf(navigator.language));
}
