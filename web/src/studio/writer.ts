/** Sends the changes of one page one after the other: each says which version of the session it has seen. */
export class Writer {
  #seen = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** A version of the session is on the page. */
  noticed(version: number): void {
    this.#seen = Math.max(this.#seen, version);
  }

  send<T>(change: (headers: Record<string, string>) => Promise<T>): Promise<T> {
    const done = this.#last.then(() => change({ "X-Fairveil-Version": String(this.#seen) }));
    this.#last = done.catch(() => undefined);
    return done;
  }
}
