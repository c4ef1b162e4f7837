/**
 * The one-time codes that the simulator has sent, newest first. Who rehearses a payment in production mode has no phone of these people,
 * and no page of the product shows a code there. In memory alone; a core of a bank has nothing like it.
 */
import { instantText } from 'trapeza/base';
import type { Core } from './contract.js';

const MOST = 50;

export class SentCodes {
  readonly #sent: object[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  list(): readonly object[] {
    return this.#sent;
  }

  /** The same core, whose codes are noted. */
  of(core: Core): Core {
    return {
      ...core,
      sendCode: async (asked) => {
        const answer = await core.sendCode(asked);
        const { psuId, challengeId, demoCode: code, expiresAt = null } = answer;
        const { payment = null } = asked.body;
        if (code) {
          const sentAt = instantText(this.#now());
          this.#sent.unshift({ sentAt, psuId, challengeId, code, payment, expiresAt });
          this.#sent.length = Math.min(this.#sent.length, MOST);
        }
        return answer;
      },
    };
  }
}
