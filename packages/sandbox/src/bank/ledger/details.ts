/** What is known of a transfer and has no column of its own: most transfers have none of it. */
import type { TransactionDetails } from 'trapeza/bank';
import { jsonColumn, members } from 'trapeza/base';
import type { Leg, Party } from './transfer.js';

type PartyDetails = Pick<Party, 'bban' | 'currency' | 'agent' | 'ultimate'>;

interface LegDetails extends Pick<Leg, 'purposeCode' | 'creditorReference'> {
  readonly payer?: PartyDetails;
  readonly payee?: PartyDetails;
}

const column = jsonColumn<LegDetails>('the details of a transfer', members({}));

const partyDetails = ({ bban, currency, agent, ultimate }: Party): PartyDetails | undefined =>
  bban || currency || agent || ultimate
    ? {
        ...(bban ? { bban } : {}),
        ...(currency ? { currency } : {}),
        ...(agent ? { agent } : {}),
        ...(ultimate ? { ultimate } : {}),
      }
    : undefined;

export const detailsOf = (
  leg: Partial<Pick<Leg, 'payer' | 'purposeCode' | 'creditorReference'>> & Pick<Leg, 'payee'>,
): string | null => {
  const payer = leg.payer && partyDetails(leg.payer);
  const payee = partyDetails(leg.payee);
  const { purposeCode, creditorReference } = leg;
  if (!payer && !payee && !purposeCode && !creditorReference) return null;
  return column.write({
    ...(payer ? { payer } : {}),
    ...(payee ? { payee } : {}),
    ...(purposeCode ? { purposeCode } : {}),
    ...(creditorReference ? { creditorReference } : {}),
  });
};

/** As one side of the transfer reads it. */
export const knownOf = (text: string | null, isPaid: boolean): Partial<TransactionDetails> => {
  if (text === null) return {};
  const { payer = {}, payee = {}, purposeCode = null, creditorReference = null } = column.read(text);
  const { bban = null, currency = null, agent = null } = isPaid ? payee : payer;
  return {
    counterpartyBban: bban,
    counterpartyCurrency: currency,
    counterpartyAgent: agent,
    purposeCode,
    creditorReference,
    ultimateDebtor: payer.ultimate ?? null,
    ultimateCreditor: payee.ultimate ?? null,
  };
};
