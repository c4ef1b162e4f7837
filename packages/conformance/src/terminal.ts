/** Questions to the person who runs the kit. Answers that were typed ahead, or come from a pipe, are kept. */
import { createInterface, type Interface } from 'node:readline';
import { NotRun } from './verdict.js';

export class Terminal {
  #interface: Interface | undefined;
  #lines: AsyncIterator<string> | undefined;

  /** Shows a text and waits for Enter. */
  async ask(question: string): Promise<void> {
    this.#interface ??= createInterface({ input: process.stdin });
    this.#lines ??= this.#interface[Symbol.asyncIterator]();
    process.stderr.write(question);
    const { done } = await this.#lines.next();
    if (done) throw new NotRun('the input has ended: there is no one left who decides');
  }

  close(): void {
    this.#interface?.close();
  }
}
