/** Records of an account holder open with a reason, once for each person and session; each one that is seen is a row in the audit log. */
import type { Context } from '../acts/act.js';
import { ownerOf } from '../admin/consents.js';
import { noteRead, type ReadAct, reasonFor } from '../admin/readings.js';
import { ActForm, consolePage, messagePage } from '../console/frame.js';
import type { Visit } from '../console/visit.js';
import type { PageAnswer } from '../http/pages.js';
import type { ConsoleParts } from './parts.js';

type Render = (parts: ConsoleParts, visit: Visit) => Promise<PageAnswer>;
type Kind = 'people' | 'consents';

export const pathOf = (kind: Kind, id: string): string => `/${kind}/${encodeURIComponent(id)}`;

/** Shows nothing of the person. */
export const askReason =
  (kind: Kind): Render =>
  async (_parts, visit) => {
    const texts = visit.messages.openings;
    const path = pathOf(kind, visit.request.params.id ?? '');
    return consolePage(visit, {
      title: texts.heading,
      path,
      children: (
        <ActForm
          visit={visit}
          path={`${path}/open`}
          id="opening"
          heading={texts.why}
          text={texts.text}
          submit={texts.submit}
        />
      ),
    });
  };

/** In the name of the visitor. */
const readerOf = ({ context }: ConsoleParts, { operator }: Visit, reason?: string): Context => ({
  ...context,
  by: { actor: `operator:${operator.name}`, role: operator.role, reason },
});

export const withReason =
  (kind: Kind, show: Render): Render =>
  async (parts, visit) => {
    const id = visit.request.params.id ?? '';
    const psuId = kind === 'people' ? id : await ownerOf(parts.context.db, id);
    if (psuId === undefined) return messagePage(visit, 404, visit.messages.absent);
    const reason = await reasonFor(readerOf(parts, visit), psuId, visit.operator.since);
    if (reason === undefined) return askReason(kind)(parts, visit);
    if (kind === 'consents') await noteRead(readerOf(parts, visit, reason), 'consent.open', `consent:${id}`);
    return show(parts, visit);
  };

export const noteReads = async (
  parts: ConsoleParts,
  visit: Visit,
  act: ReadAct,
  subjects: readonly string[],
): Promise<void> => {
  for (const subject of subjects) await noteRead(readerOf(parts, visit), act, subject);
};
