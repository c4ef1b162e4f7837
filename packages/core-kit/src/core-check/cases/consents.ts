/** Cases about reports of consents. A core that does not want them gets none: these cases are skipped. */
import { coreExamples } from 'trapeza/bank';
import { newId } from 'trapeza/base';
import { check, demandRefusals, type Trial } from '../case.js';
import type { Answer, Seen } from '../client.js';
import { demand, Skip } from '../verdict.js';

type Reporting = Trial & { readonly consentId: string };

/** A consent that no third party has: the person of the subject is not touched. */
const begin = async (trial: Trial): Promise<Reporting> => {
  const { consents } = await trial.core.answer('ping', {});
  if (consents !== true) throw new Skip('its health does not say "consents": true');
  return { ...trial, consentId: newId() };
};

const stateOf = ({ consentId, subject }: Reporting, revision: number, more: object = {}): object => ({
  ...coreExamples.putConsent.body,
  ...(subject.psuId === undefined ? {} : { psuId: subject.psuId }),
  consentId,
  revision,
  ...more,
});

const ask = ({ core, consentId }: Reporting, body: object): Promise<Seen> =>
  core.ask('putConsent', { params: { consentId }, body });

const put = async (trial: Reporting, revision: number, status = 'Valid'): Promise<Answer<'putConsent'>> => {
  const answer = trial.core.valid('putConsent', await ask(trial, stateOf(trial, revision, { status })));
  demand(answer.consentId === trial.consentId, 'the consentId of the path', 'another consentId');
  return answer;
};

const demandRevision = (answer: Answer<'putConsent'>, revision: number): void =>
  demand(answer.revision === revision, `revision ${revision}`, `revision ${answer.revision}`);

export const consentCases = [
  check({
    id: 'consent-reported',
    title: 'takes the state of a consent, and the next one',
    operation: 'putConsent',
    hint: 'Keep the state by consentId, and answer with its revision.',
    run: async (trial) => {
      const consent = await begin(trial);
      demandRevision(await put(consent, 3), 3);
      demandRevision(await put(consent, 7, 'RevokedByPsu'), 7);
    },
  }),
  check({
    id: 'consent-again',
    title: 'takes the same state again as if it were new',
    operation: 'putConsent',
    hint: 'Trapeza repeats what it has no answer to: answer 200.',
    run: async (trial) => {
      const consent = await begin(trial);
      await put(consent, 3);
      demandRevision(await put(consent, 3), 3);
    },
  }),
  check({
    id: 'consent-overtaken',
    title: 'does not let an older state take the place of a newer one',
    operation: 'putConsent',
    hint: 'Compare revisions in the statement that writes, and answer 200 with the highest one.',
    run: async (trial) => {
      const consent = await begin(trial);
      await put(consent, 7, 'RevokedByPsu');
      demandRevision(await put(consent, 3), 7);
    },
  }),
  check({
    id: 'consent-malformed',
    title: 'refuses what does not fit the contract',
    operation: 'putConsent',
    hint: 'Answer 400: the id of the path is that of the body, and every member has its type.',
    run: async (trial) => {
      const consent = await begin(trial);
      await demandRefusals({
        'another consentId in the body': () => ask(consent, stateOf(consent, 3, { consentId: newId() })),
        'an unknown status': () => ask(consent, stateOf(consent, 3, { status: 'Open' })),
        'no revision': () => ask(consent, { ...stateOf(consent, 3), revision: undefined }),
      });
    },
  }),
];
