/** How numbers, times and sentences are written on the page. */

const integer = new Intl.NumberFormat("en");
const rounded = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

export function count(n: number): string {
  return integer.format(n);
}

export function plural(n: number, singular: string, many = `${singular}s`): string {
  return `${count(n)} ${n === 1 ? singular : many}`;
}

export function figure(n: number | null | undefined): string {
  return n == null ? "–" : rounded.format(n);
}

/** A share as a percentage; a positive share is never shown as 0 %. */
export function percent(share: number): string {
  if (share > 0 && share < 0.001) return "< 0.1 %";
  return `${(share * 100).toFixed(share > 0 && share < 0.0995 ? 1 : 0)} %`;
}

export function clock(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "" : date.toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hour12: false });
}

export function day(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  const today = new Date().toDateString() === date.toDateString();
  return today ? `today ${clock(at)}` : date.toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}

/** A duration, rounded to one unit. */
export function duration(seconds: number): string {
  if (seconds < 1) return "a moment";
  if (seconds < 90) return plural(Math.round(seconds), "second");
  if (seconds < 5400) return plural(Math.round(seconds / 60), "minute");
  return plural(Math.round(seconds / 3600), "hour");
}

export function size(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  const unit = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${figure(Math.round((bytes / 1000 ** unit) * 10) / 10)} ${units[unit]}`;
}

/** "min_support" as words. */
export function spaced(name: string): string {
  return name.replaceAll("_", " ");
}

/** A message as a sentence: guards, methods and errors begin theirs in lower case. "k-anonymity" and "k=5" stay as they are. */
export function sentence(text: string): string {
  return text.replace(/^\p{Ll}(?![-=])/u, (letter) => letter.toUpperCase());
}

/** "10, 20" as numbers; null if something else is among them. */
export function numbersIn(text: string): number[] | null {
  const numbers = text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(Number);
  return numbers.every(Number.isFinite) ? numbers : null;
}

/** A set with or without one of its members. */
export function withMember<T>(set: ReadonlySet<T>, member: T, isMember: boolean): Set<T> {
  const next = new Set(set);
  if (isMember) next.add(member);
  else next.delete(member);
  return next;
}
