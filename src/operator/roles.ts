/** Who may do what: the acts of the console that are no values yet. */
import { isAmong, type OperatorRole, type Roles } from '../acts/role.js';
import { endConsent, openPerson } from '../admin/acts.js';
import { actNamed } from '../admin/derived.js';
import { publishAtms } from '../atms/acts.js';
import { redeliverEvent } from '../events/acts.js';
import { settlePayment } from '../payment/acts.js';
import { rollSecret, setQuota, setRedirectUris, setUnattended } from '../tpp/acts.js';

export const acts = {
  'parties/unattended': setUnattended.roles,
  'parties/quota': setQuota.roles,
  'parties/redirects': setRedirectUris.roles,
  'parties/secret': rollSecret.roles,
  'people/open': openPerson.roles,
  'consents/open': openPerson.roles,
  'consents/end': endConsent.roles,
  'payments/settle': settlePayment.roles,
  'proposals/confirm': ['compliance'],
  'proposals/refuse': ['compliance'],
  'atms/publish': publishAtms.roles,
  'events/redeliver': redeliverEvent.roles,
} as const satisfies Readonly<Record<string, Roles>>;

export type ConsoleAct = keyof typeof acts;

export const mayDo = (role: OperatorRole, act: ConsoleAct): boolean => isAmong(acts[act], role);

/** Who may propose an act may decide on it. */
export const mayDecide = (role: OperatorRole, name: string): boolean => {
  const act = actNamed(name);
  return act !== undefined && isAmong(act.roles, role);
};
