/** No module keeps state or reads stored JSON without its schema; each exception is named here with its reason. */
import { describe, expect, it } from 'vitest';
import { filesUnder, sourceFolders } from './lib/source.js';

const source = sourceFolders.flatMap(filesUnder);

describe('modules', () => {
  /** All services of a process share these; none of it decides what a caller gets. */
  const state: Readonly<Record<string, string>> = {
    'src/atms/check-atm.ts ajv': 'compiles schemas once',
    'src/certificate/certificate.ts byText':
      'the certificate of a text never changes; its validity is checked on each use',
    'src/certificate/certificate.ts byFingerprint': 'the same',
    'src/events/outbox.ts writers': 'marks transactions that wrote an event, until they are collected',
    'src/gate/gate.ts overloaded': 'problems that are thrown often are made once',
    'src/http/validate.ts ajv': 'compiles schemas once',
    'src/http/validate.ts plainAjv': 'compiles schemas once',
    'src/lib/day.ts zones': 'date formats are slow to make',
    'src/lib/format/intl.ts numbers': 'formats are slow to make',
    'src/lib/format/intl.ts dates': 'the same',
    'src/lib/turn.ts end': 'the end of the current turn of the event loop, of which a process has one',
    'src/model/account-reference.ts knownIbans': 'an IBAN that is valid stays so',
    'src/observe/process-metrics.ts own': 'figures of the process, not of a service',
    'src/observe/unhandled.ts count': 'errors of the process, not of a service',
    'src/signature/key-id.ts known': 'key ids that have been read without fault',
    'src/signature/verify-thread.ts known': 'the keys of a thread, which is no more than this module',
    'src/store/proven.ts texts': 'SQL texts, by the text that they prove',
    'src/store/sqlite/checkpoint-thread.ts connection': 'of a thread, which is no more than this module',
    'packages/core-kit/src/core-check/client.ts validators': 'compiles schemas once',
    'packages/sandbox/src/bank/history/counterparties.ts numbered':
      'numbers constants while the module is read',
    'packages/sandbox/src/bank/ledger/internal-accounts.ts ids': 'ids derived from names',
  };
  const STATE =
    /^(?:export )?(?:let (\w+)|const (\w+)(?:: (?!Readonly)[^=]+)? = new (?!RegExp|TextEncoder|TextDecoder|Intl|URL\b)|const (\w+): \w+\[\] = \[)/gm;

  it('keep no state, but for this list', () => {
    const found = source.flatMap(({ path, text }) =>
      [...text.replace(/`[^`]*`/g, '``').matchAll(STATE)].map(([, ...names]) => `${path} ${names.join('')}`),
    );
    expect(found.toSorted()).toEqual(Object.keys(state).toSorted());
  });

  /** What is read here is not a column of ours, or is read with a check beside it. What others send goes through strict-json. */
  const parsers: Readonly<Record<string, string>> = {
    'src/tpp/eba/check-register.ts': 'the register of the EBA, checked there',
    'src/api/ais/reads/cursor.ts': 'sealed by ourselves',
    'src/atms/publication.ts': 'the text that is served, checked before it was published',
    'src/bank/guard/answers.ts': 'what a bank gives to the browser, checked to be JSON',
    'src/bank/openid/openid-login.ts': 'sealed by ourselves',
    'src/bank/openid/step-up.ts': 'sealed by ourselves',
    'src/lib/format/strict-json.ts': 'whatever comes from outside: bodies, uploads, answers of the core',
    'src/oauth/authorization-details.ts': 'checked by the authorization server',
    'src/oauth/grants.ts': 'records in the form of the authorization server',
    'src/oauth/records.ts': 'records in the form of the authorization server',
    'src/oauth/status/client-authentication.ts': 'a claim that is looked at before it is verified',
    'src/psu/sent-codes.ts': 'sealed by ourselves',
    'src/store/json-column.ts': 'columns, by their schema',
    'src/tpp/registry.ts': 'the key set that an operator gives, checked there',
    'src/version.ts': 'package.json',
    'packages/client/src/client.ts': 'answers of the bank, which a caller believes',
    'packages/client/src/events.ts': 'notifications, used if the bank has signed them',
    'packages/client/src/problem.ts': 'answers of the bank',
    'packages/conformance/src/bank/http.ts': 'answers of the bank under test',
    'packages/conformance/src/bank/notification.ts': 'notifications of the bank under test',
    'packages/conformance/src/files.ts': 'the file of the operator, checked there',
    'packages/core-kit/src/core-check/cli.ts': 'the file of the operator, checked there',
    'packages/core-kit/src/simulator/misbehave.ts': 'its own answers',
    'packages/sandbox/src/authority/folder.ts': 'its own file',
    'packages/sandbox/src/bank/demo-openid.ts': 'in the sandbox alone; what does not fit shows no payment',
    'packages/sandbox/src/bank/demo-phone.ts': 'written by itself, in the sandbox alone',
    'packages/sandbox/src/pki/sandbox-authority.ts': 'sealed by ourselves',
    'packages/sandbox/src/tpp/news/webhooks.ts': 'written by itself, shown as they came',
    'packages/sandbox/src/tpp/walks.ts': 'sealed by ourselves',
    'packages/sandbox/src/tpp/wire/shown.ts': 'answers, shown as they came',
    'src/web/brand/read-brand.ts': 'the file of the operator, checked there',
    'src/web/assets/passkey-script.ts': 'the request in the page, made by the bank',
    'src/web/assets/console-script.ts': 'answers, shown as they came, in the browser',
    'packages/sandbox/src/tpp/wire/wire.ts': 'answers, shown as they came',
  };

  it('read JSON of the store by its schema, but for this list', () => {
    const found = source.filter(({ text }) => text.includes('JSON.parse(')).map(({ path }) => path);
    expect(found.toSorted()).toEqual(Object.keys(parsers).toSorted());
  });
});
