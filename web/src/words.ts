/** Numbers, times and counts as they are shown. */

const whole = new Intl.NumberFormat("en");
const some = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

export function count(n: number): string {
  return whole.format(n);
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export function figure(n: number | null | undefined): string {
  return n === null || n === undefined ? "–" : some.format(n);
}

/** A share as a percentage; what is not nothing never reads as 0 %. */
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

/** A stretch of time, rounded as people say it. */
export function duration(seconds: number): string {
  if (seconds < 1) return "a moment";
  if (seconds < 90) return plural(Math.round(seconds), "second");
  if (seconds < 5400) return plural(Math.round(seconds / 60), "minute");
  return plural(Math.round(seconds / 3600), "hour");
}

export function size(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  let n = bytes;
  let unit = 0;
  while (n >= 1000 && unit < units.length - 1) {
    n /= 1000;
    unit += 1;
  }
  return `${figure(Math.round(n * 10) / 10)} ${units[unit]}`;
}

/** "min_support" or "k-anonymity" as words. */
export function spaced(name: string): string {
  return name.replaceAll("_", " ");
}

/** A sentence as it stands alone: what the parts say begins small. */
export function stated(sentence: string): string {
  return sentence.replace(/^\p{Ll}/u, (sign) => sign.toUpperCase());
}
