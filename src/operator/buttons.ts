/** What each button does: the acts of the command line, in the name of the operator and with a reason. */
import { Proposed } from '../acts/proposals.js';
import { Gone, Refusal } from '../acts/refusal.js';
import type { Admin } from '../admin/admin.js';
import { ownerOf } from '../admin/consents.js';
import { planImport } from '../atms/import/result.js';
import { isUnattended } from '../consent/unattended-reads.js';
import { hrefOf } from '../console/frame.js';
import { byOf, refusedReason } from '../console/press.js';
import { refused, type Visit } from '../console/visit.js';
import { type PageAnswer, seeOther } from '../http/pages.js';
import { showDraft } from './atms.js';
import { showConsent } from './consents.js';
import { showDeliveries } from './deliveries.js';
import { askReason, pathOf } from './openings.js';
import { showParty } from './parties.js';
import type { ConsoleParts } from './parts.js';
import { rollSecret, setQuota, setRedirects } from './party-access.js';
import { showPayments } from './payments.js';
import { showProposals } from './proposals.js';
import type { ConsoleAct } from './roles.js';

type Show = (parts: ConsoleParts, visit: Visit) => Promise<PageAnswer>;

export interface Button {
  /** The page with the form, and its path. */
  readonly show: Show;
  readonly path: (id: string) => string;
  /** The id of the form's section. */
  readonly section: (id: string) => string;
  /** Returns what the page says then, or a page; a pair is the field that is wrong and what is wrong with it. */
  readonly act: (
    admin: Admin,
    visit: Visit,
    id: string,
    parts: ConsoleParts,
  ) => Promise<string | readonly [string, string] | PageAnswer>;
}

const setUnattended: Button['act'] = async (admin, { request, messages }, id) => {
  const text = request.form.unattended?.trim() ?? '';
  if (text !== '' && !isUnattended(text)) return ['unattended', messages.parties.unattendedWrong];
  await admin.setUnattended(id, { perDay: text === '' ? undefined : Number(text) });
  return 'unattended';
};

const settle: Button['act'] = async (admin, { request, messages, operator }, id) => {
  const { outcome, code = '' } = request.form;
  const isRejected = outcome === 'rejected';
  if (/^[A-Z0-9]{4}$/.test(code.trim()) !== isRejected || (!isRejected && code.trim() !== ''))
    return [`code-${id}`, messages.payments.codeWrong];
  const text = 'The payment was not carried out.';
  await admin.settlePayment(id, {
    outcome: isRejected ? { status: 'RJCT', reason: { code: code.trim(), text } } : { status: 'ACSC' },
    by: operator.name,
    isForced: false,
  });
  return 'settled';
};

/** It may have changed since the page was shown. */
const outcomeFor = async (
  act: () => ReturnType<Button['act']>,
  { lang }: Visit,
  section: string,
): ReturnType<Button['act']> => {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Proposed) return 'proposed';
    if (error instanceof Gone) return error.done;
    // Of an act that another person proposed, and that cannot be done any more.
    if (error instanceof Refusal) return [`${section}-reason`, error.textIn(lang)];
    throw error;
  }
};

/** All records or none, unless the operator leaves the refused ones out. */
const publish: Button['act'] = async (admin, { request, messages }, id, { uploads }) => {
  const draft = await admin.atmDraft(id);
  if (!draft) return 'gone';
  if (!draft.isFresh) return 'replaced';
  const review = await uploads.run('draft', draft);
  const plan = planImport(review, { allowRefused: request.form.allow === 'yes' });
  if (!plan.publish) return ['allow', messages.atms.allowMissing];
  const { changed } = await admin.publishAtms({ list: review.list, basis: draft.basis });
  return changed ? 'published' : 'same';
};

/** Its role is asked for where it is decided. */
const decision = (
  name: string,
  decide: (admin: Admin, id: string) => Promise<'confirmed' | 'refused' | 'own' | 'gone'>,
): Button => ({
  show: showProposals,
  path: () => '/proposals',
  section: (id) => `${name}-${id}`,
  act: (admin, _visit, id) => decide(admin, id),
});

const party = { show: showParty, path: (id: string) => `/parties/${encodeURIComponent(id)}` };
const payments = { show: showPayments, path: () => '/payments' };

const buttons: Readonly<Record<ConsoleAct, Button>> = {
  'parties/unattended': { ...party, section: () => 'unattended-reads', act: setUnattended },
  'parties/quota': { ...party, section: () => 'quota', act: setQuota },
  'parties/redirects': { ...party, section: () => 'redirect-addresses', act: setRedirects },
  'parties/secret': { ...party, section: () => 'secret', act: rollSecret },
  'people/open': {
    show: askReason('people'),
    path: (id) => pathOf('people', id),
    section: () => 'opening',
    act: async (admin, _visit, id) => {
      await admin.openPerson(id);
      return 'opened';
    },
  },
  'consents/open': {
    show: askReason('consents'),
    path: (id) => pathOf('consents', id),
    section: () => 'opening',
    act: async (admin, _visit, id, { context }) => {
      const psuId = await ownerOf(context.db, id);
      if (psuId === undefined) return 'gone';
      await admin.openPerson(psuId);
      return 'opened';
    },
  },
  'consents/end': {
    show: showConsent,
    path: (id) => pathOf('consents', id),
    section: () => 'end',
    act: async (admin, { operator, request }, id) => {
      const outcome = await admin.endConsent(id, { by: operator.name, why: request.form.reason ?? '' });
      return outcome === 'unknown' ? 'over' : outcome;
    },
  },
  'payments/settle': { ...payments, section: (id) => `settle-${id}`, act: settle },
  'proposals/confirm': decision('confirm', (admin, id) => admin.confirmProposal(id)),
  'proposals/refuse': decision('refuse', (admin, id) => admin.refuseProposal(id)),
  'atms/publish': {
    show: showDraft,
    path: () => '/atms',
    section: () => 'publish',
    act: publish,
  },
  'events/redeliver': {
    show: showDeliveries,
    path: (id) => `/events/${encodeURIComponent(id)}`,
    section: () => 'redeliver',
    act: async (admin, { request }, id) =>
      (await admin.redeliverEvent(id, { eventId: request.form.event ?? '' })) ? 'retried' : 'noAddress',
  },
};

export const press = async (parts: ConsoleParts, visit: Visit, name: ConsoleAct): Promise<PageAnswer> => {
  const { show, path, section, act } = buttons[name];
  const id = visit.request.params.id ?? '';
  const by = byOf(visit);
  if (!by) return show(parts, refusedReason(visit, section(id)));
  const outcome = await outcomeFor(() => act(parts.admin.as(by), visit, id, parts), visit, section(id));
  if (typeof outcome === 'string') return seeOther(`${hrefOf(visit, path(id))}?done=${outcome}`);
  return 'status' in outcome ? outcome : show(parts, refused(visit, ...outcome));
};
