/**
 * Why a consent ended, which one took its place, and for which ends its third party has had an event; the same on its events. A node of the
 * version before leaves these empty. What ended earlier gets its reason from its history, if that tells.
 */
export const statusReasons = {
  id: 29,
  name: 'status-reasons',
  compatibleFrom: 24,
  sql: `
alter table consents add column end_reason text;
alter table consents add column superseded_by text;
alter table consents add column told_sca_at bigint;
alter table consents add column told_expires_at bigint;
alter table events add column reason text;
alter table events add column superseded_by text;
alter table events add column notice text;
alter table events add column until_at bigint;
create index events_of_consent on events (consent_id, position);
create index consents_authentication_untold on consents (status, sca_at)
  where (told_sca_at is null or told_sca_at < sca_at) and kind = 'AccountAccess';

update consents set
  end_reason = (select case
      when h.to_status = 'Rejected' and h.changed_by = 'psu' then 'rejected'
      when h.to_status = 'Rejected' and h.changed_by = 'time' then 'undecided'
      when h.to_status = 'RevokedByPsu' then 'withdrawn'
      when h.reason like 'superseded by %' then 'superseded'
      when h.to_status = 'TerminatedByTpp' then 'ended-by-tpp'
      when h.reason = 'payment order ACSC' then 'completed'
      when h.reason = 'payment order RJCT' then 'payment-rejected'
      when h.reason = 'payment order CANC' then 'payment-cancelled'
      when h.changed_by <> 'time' then null
      when consents.kind = 'PaymentInitiation' and h.from_status = 'Valid' then 'unused'
      when consents.kind = 'AccountAccess' and consents.recurring = 0
        and exists (select 1 from data_accesses d where d.consent_id = consents.id) then 'completed'
      else 'expired' end
    from consent_history h where h.consent_id = consents.id order by h.position desc limit 1),
  superseded_by = (select case when h.reason like 'superseded by %' then substr(h.reason, 15) end
    from consent_history h where h.consent_id = consents.id order by h.position desc limit 1)
where status in ('Rejected', 'RevokedByPsu', 'Expired', 'TerminatedByTpp');
update consents set end_reason = 'completed'
where status = 'Valid' and kind = 'AccountAccess' and recurring = 0
  and exists (select 1 from data_accesses d where d.consent_id = consents.id);
`,
} as const;
