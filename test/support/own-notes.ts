/** Tables that a running service writes at any time: when a job is due again, that there was a call, what calls were granted, that the node lives. */
export const ownNotes: readonly string[] = [
  'jobs',
  'request_log',
  'request_positions',
  'usage_days',
  'statistics_calls',
  'statistics_failures',
  'statistics_spans',
  'statistics_writes',
  'store_pulses',
  'quota_grants',
];
