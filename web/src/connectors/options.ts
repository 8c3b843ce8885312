// Which parameters of a provider a form asks for.
import type { Option, Provider } from "./query";

/** `onlyFor` is a list with commas, or with a `!` before it all others; empty is for all. */
export function isFor(onlyFor: string, chosen: string): boolean {
  if (onlyFor === "") return true;
  const isExcept = onlyFor.startsWith("!");
  const named = onlyFor
    .slice(isExcept ? 1 : 0)
    .split(",")
    .includes(chosen);
  return named !== isExcept;
}

/** The parameters for what is chosen so far: what is required comes first, what few need is apart. */
export function optionsOf(provider: Provider, parameters: Record<string, string>): { main: Option[]; more: Option[] } {
  const chosen = parameters.provider ?? "";
  const seen = new Set<string>();
  const options = provider.options.filter((option) => {
    if (seen.has(option.name) || !isFor(option.onlyFor, chosen)) return false;
    // The login is asked for in its own way.
    if (provider.usesOAuth && option.name === "token") return false;
    seen.add(option.name);
    return true;
  });
  const isMain = ({ isRequired, isAdvanced, name }: Option) =>
    isRequired || (!isAdvanced && !(provider.usesOAuth && /^client_(id|secret)$/.test(name)));
  const main = options.filter(isMain).sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
  return { main, more: options.filter((option) => !isMain(option)) };
}

/** The proposed values of a parameter, given the other choices. */
export function proposalsOf(option: Option, parameters: Record<string, string>): { value: string; help: string }[] {
  const chosen = parameters.provider ?? "";
  return option.examples
    .filter(({ value, onlyFor }) => value !== "" && isFor(onlyFor, chosen))
    .map(({ value, help }) => ({ value, help: firstLine(help) }));
}

/** A parameter's name as a label: `access_key_id` is "Access key id". */
export function labelOf(name: string): string {
  const words = name.replaceAll("_", " ");
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/\b(id|url|api)\b/gi, (word) => word.toUpperCase());
}

export function firstLine(help: string): string {
  return (
    help
      .trim()
      .split(/\n\s*\n/)[0]
      ?.replace(/\s*\n\s*/g, " ") ?? ""
  );
}

/** Splits a provider's name at "including": that of S3 names thirty others. */
export function providerName(name: string): { short: string; rest: string } {
  const [short = name, rest = ""] = name.split(/ including | \(/);
  return { short: short.charAt(0).toUpperCase() + short.slice(1), rest: rest.replace(/\)$/, "") };
}

/** True for a parameter that is yes or no. */
export function isSwitch({ standard, examples }: Option): boolean {
  return (standard === "true" || standard === "false") && examples.length === 0;
}
