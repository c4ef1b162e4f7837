/** The header TPP-Notification-URI: where the status changes of one consent are sent. */
import { authorityOf, MAX_TARGET, normalTarget, targetFault } from '../../events/target.js';
import type { Call, Field } from '../../http/operation.js';
import type { Reach } from '../../lib/net/strangers.js';
import { type FieldFault, fieldFault } from '../../problem/field.js';

const NAME = 'TPP-Notification-URI';

export const notificationHeader: Field = {
  name: NAME,
  schema: { type: 'string', format: 'uri', maxLength: MAX_TARGET },
  description:
    'Where status changes of this consent are sent; an https address on a host of a registered redirect or webhook address. The registered webhook, if absent.',
  hasEffect: true,
};

/** A host is accepted if the third party has registered it; any other host might be a stranger's. */
const isRegistered = (value: string, { access }: Call): boolean => {
  const registered = [...(access?.redirectUris ?? []), access?.webhookUrl ?? ''].map(authorityOf);
  return registered.includes(authorityOf(value));
};

/** The address in its one spelling, or null; a fault is put to the others. */
export const notificationOf = (
  call: Call,
  { allowsLoopback }: Pick<Reach, 'allowsLoopback'>,
  errors: Record<string, FieldFault[]>,
): string | null => {
  const value = call.headers[NAME.toLowerCase()];
  if (value === undefined || value === '') return null;
  const malformed = targetFault(value, allowsLoopback);
  if (malformed === undefined && isRegistered(value, call)) return normalTarget(value);
  errors[`header.${NAME}`] = [
    malformed === undefined
      ? fieldFault(
          'not-registered',
          'must be on the host of a registered redirect or webhook address of the application',
        )
      : fieldFault('format', malformed, { format: 'uri' }),
  ];
  return null;
};
