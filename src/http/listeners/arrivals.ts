/**
 * Node accepts one connection in each turn of the event loop. If a turn also does the work of all requests that are there, the last of many
 * new connections waits for as many batches. So while connections come, turns accept them and do nothing else, but only so many in a row.
 */
const MOST_TURNS = 64;

export class Arrivals {
  #hasCome = false;
  #turns = 0;

  add(): void {
    this.#hasCome = true;
  }

  /** Whether this turn has accepted one, and the next may too before work begins. */
  goOn(): boolean {
    const goesOn = this.#hasCome && this.#turns < MOST_TURNS;
    this.#hasCome = false;
    this.#turns = goesOn ? this.#turns + 1 : 0;
    return goesOn;
  }
}
