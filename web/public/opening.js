// Runs while the interface is still on its way and the browser has nothing else to do: to make the first formatter of a
// kind takes it long, and the next ones are made at once. Between them it may paint and answer.
for (const formatter of [Intl.DateTimeFormat, Intl.NumberFormat, Intl.PluralRules]) {
  setTimeout(() => formatter.supportedLocalesOf(navigator.language));
}
