const UNITS = ["B", "KB", "MB", "GB", "TB", "PB"] as const;

/** Several short texts in a row; none disturbs the order of the others, whatever its script. */
export function joined(texts: readonly string[]): string {
  return texts.map((text) => `\u2068${text}\u2069`).join(" · ");
}

/** Makes something when it is asked for the first time. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * Numbers, sizes and moments as one language writes them. The formatters are costly to make, so there is one of each, and
 * none before it is needed.
 */
export class Formats {
  readonly locale: string;
  private readonly number: () => Intl.NumberFormat;
  private readonly tenths: () => Intl.NumberFormat;
  private readonly durations: (() => Intl.NumberFormat)[];
  private readonly moments: () => Intl.DateTimeFormat;
  private readonly exactMoments: () => Intl.DateTimeFormat;
  private readonly plurals: () => Intl.PluralRules;
  private readonly names: () => Intl.Collator;

  constructor(locale: string) {
    this.locale = locale;
    this.number = once(() => new Intl.NumberFormat(locale));
    const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false };
    this.tenths = once(() => new Intl.NumberFormat(locale, digits));
    this.durations = ["second", "minute", "hour"].map((unit) =>
      once(() => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" })),
    );
    this.moments = once(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }));
    this.exactMoments = once(() => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" }));
    this.plurals = once(() => new Intl.PluralRules(locale));
    this.names = once(() => new Intl.Collator(locale, { numeric: true, sensitivity: "accent" }));
  }

  numberText(value: number): string {
    return this.number().format(value);
  }

  /** Orders names as the server does: without regard to case, with regard to accents, numbers by their value. */
  get collator(): Intl.Collator {
    return this.names();
  }

  pluralOf(count: number): Intl.LDMLPluralRule {
    return this.plurals().select(count);
  }

  /** As the server writes sizes: in steps of 1024, with one digit behind the point. */
  size(bytes: number): string {
    let step = 0;
    let value = bytes;
    // What would be written as 1024.0 belongs to the next unit.
    while (value >= 1023.95 && step < UNITS.length - 1) {
      value /= 1024;
      step += 1;
    }
    return `${this.tenths().format(value)} ${UNITS[step]}`;
  }

  /** The server's UTC moments have no offset: `2026-11-21T06:14:09`. */
  dateTime(utc: string): string {
    return this.moment(new Date(`${utc}Z`));
  }

  moment(date: Date): string {
    return this.moments().format(date);
  }

  /** With its seconds, to be compared. */
  exactMoment(date: Date): string {
    return this.exactMoments().format(date);
  }

  /** Roughly, as is said of what is still to come: in the largest unit of which there are two, at least a second. */
  duration(seconds: number): string {
    const step = seconds < 100 ? 0 : seconds < 100 * 60 ? 1 : 2;
    return this.durations[step]?.().format(Math.max(1, Math.round(seconds / 60 ** step))) ?? "";
  }
}
