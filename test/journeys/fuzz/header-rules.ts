/** The rules about headers and query that hold for operations, each with ways to break it and its answer. */
import { all, header, path, type Rule, rule, type Target, typed } from './target.js';

const isApi = ({ kind }: Target): boolean => kind === 'operation' || kind === 'control';
const isCalled = ({ kind }: Target): boolean => kind === 'operation';
const checks =
  (what: NonNullable<Target['checks']>[number]) =>
  (target: Target): boolean =>
    target.checks?.includes(what) ?? false;

const uuidFaults = [undefined, '', 'x', '99391c7ead8849eca2ad99ddcb1f7721'];

export const headersAndQuery: readonly Rule[] = [
  rule(
    'accept',
    '406 not-acceptable',
    header('Accept', 'text/csv', 'application/json;q=0', 'x/y, z/*'),
    isApi,
  ),
  rule('content type', '415 unsupported-media-type', typed('text/plain'), isApi),
  rule('charset', '415 unsupported-media-type', typed('application/json; charset=iso-8859-7'), isApi),
  rule(
    'content encoding',
    '415 unsupported-media-type',
    all(typed('application/json'), header('Content-Encoding', 'gzip', 'br')),
    isApi,
  ),
  rule('request id', '400 invalid-header', header('X-Request-ID', ...uuidFaults), checks('request id')),
  rule('session consent id', '400 invalid-header', header('Consent-ID', 'x', '1'), checks('session')),
  rule('consent id', '400 invalid-header', header('Consent-ID', ...uuidFaults), checks('access')),
  rule('PSU address', '400 invalid-header', header('PSU-IP-Address', 'x', '1.2.3', '::g'), checks('psu')),
  rule(
    'PSU port',
    '400 invalid-header',
    header('PSU-IP-Port', '0', '65536', '-1', '1e3', 'x'),
    checks('psu'),
  ),
  rule('PSU method', '400 invalid-header', header('PSU-Http-Method', 'get', 'HEAD'), checks('psu')),
  rule('PSU device', '400 invalid-header', header('PSU-Device-ID', 'x'), checks('psu')),
  rule(
    'redirect',
    '400 invalid-header',
    all(
      header('TPP-Redirect-URI', undefined),
      header('TPP-Redirect-URI', 'https://nobody.example/', 'x', 'javascript:alert(1)'),
    ),
    checks('redirects'),
  ),
  rule(
    'redirect of a refusal',
    '400 invalid-header',
    header('TPP-Nok-Redirect-URI', 'https://nobody.example/', '//x'),
    checks('redirects'),
  ),
  rule('state', '400 invalid-header', header('TPP-State', 'x'.repeat(257)), checks('redirects')),
  rule('scenario', '400 invalid-header', header('Sandbox-Scenario', 'no-such-scenario'), isCalled),
  rule(
    'signature alone',
    '400 signature-headers-incomplete',
    all(header('Digest', undefined), header('Signature', 'x')),
    checks('signature'),
  ),
  rule(
    'digest alone',
    '400 signature-headers-incomplete',
    all(header('Signature', undefined), header('Digest', `SHA-256=${Buffer.alloc(32).toString('base64')}`)),
    checks('signature'),
  ),
  rule(
    'unknown parameter',
    '400 invalid-query',
    path((known, random) => `${known}${known.includes('?') ? '&' : '?'}x${random.hex(4)}=1`),
    isApi,
  ),
  rule(
    'query',
    '400 invalid-query',
    (draft, random) => {
      const [place = ''] = draft.path.split('?');
      draft.path = `${place}?${random.pick(draft.target.badQueries ?? [])}`;
    },
    ({ badQueries }) => badQueries !== undefined,
  ),
];
