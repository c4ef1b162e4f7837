/** A return from the bank that does not fit, or a walk that is not there: what happened, and the way on. */
import type { Frame, PageAnswer } from 'trapeza/pages';
import { demoPage } from './page.js';
import { START, walkPath } from './places.js';
import type { Misfit } from './view.js';

interface Explanation {
  readonly title: string;
  readonly words: string;
}

const reasons: Readonly<Record<Misfit, Explanation>> = {
  stranger: {
    title: 'This return belongs to no flow of this browser',
    words:
      'The `state` in the address is not one that was given to this browser, or its flow has ended. A third party must stop here: an attacker may have made this address to put their own login in the place of yours.',
  },
  used: {
    title: 'This return has been used, or was not awaited',
    words:
      'A third party accepts a return once. The address was opened again, or it does not match the current request, so it is ignored.',
  },
  'foreign-consent': {
    title: 'This return is about another consent',
    words:
      'The `consentId` in the address is not the consent of this flow, so it is ignored. A third party reads the outcome from the bank and never takes it from an address.',
  },
};

const gone: Explanation = {
  title: 'This flow has ended',
  words:
    'It belongs to another browser, was not continued for two hours, or the sandbox was reset. Begin a new one.',
};

const explain = (frame: Frame, { title, words }: Explanation, status: number, walkId?: string): PageAnswer =>
  demoPage(
    {
      frame,
      title,
      description: title,
      children: (
        <div class="flow">
          <div class="page-head">
            <h1>{title}</h1>
          </div>
          <div class="stack">
            <p>{words.replaceAll('`', '')}</p>
            <p class="actions">
              {walkId !== undefined && (
                <a class="button" href={frame.href(walkPath(walkId))}>
                  Continue the flow
                </a>
              )}
              <a class={walkId === undefined ? 'button' : 'button second'} href={frame.href(START)}>
                Start page of Pharos
              </a>
            </p>
          </div>
        </div>
      ),
    },
    { status },
  );

export const misfitPage = (frame: Frame, misfit: Misfit, walkId: string | undefined): PageAnswer =>
  explain(frame, reasons[misfit], 400, walkId);

export const gonePage = (frame: Frame): PageAnswer => explain(frame, gone, 404);
