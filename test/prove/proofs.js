/** The long proofs, of which `npm test` runs samples: what each proves, what it may be told, and what it runs. */

/**
 * A parameter sets an environment variable; without a default the variable is set only if the parameter is given. `commands` run
 * before the tests, which run once on each version of Node in `versions`. `takes` is rough, and for two cores that do nothing else.
 * @typedef {readonly [variable: string, otherwise?: string | number]} Parameter
 * @typedef {{ about: string, takes: string, parameters?: Record<string, Parameter>, environment?: Record<string, string>,
 *   commands?: readonly string[], files?: readonly string[], flags?: readonly string[], versions?: readonly number[] }} Proof
 */

/** @type {(every: number) => Record<string, Parameter>} */
const kills = (every) => ({
  EVERY: ['TEST_KILL_EVERY', every],
  SEED: ['TEST_KILL_SEED', 1],
  ENGINE: ['TEST_KILL_ENGINE'],
});

/** @type {Record<string, Record<string, Proof>>} */
export const subjects = {
  'Payments and the core': {
    payments: {
      about: 'a payment that two processes submit again and again is one order and one booking',
      takes: '10 min',
      parameters: {
        CONSENTS: ['TEST_ONCE_CONSENTS', 500],
        SUBMISSIONS: ['TEST_ONCE_SUBMISSIONS', 200],
        ENGINE: ['TEST_ONCE_ENGINE'],
      },
      files: ['test/payment/exactly-once.release.test.ts'],
    },
    'kill-payments': {
      about: 'no payment is lost or made twice while nodes are killed',
      takes: '10 min',
      parameters: { COUNT: ['TEST_KILL_SUBMISSIONS', 2000], ...kills(60) },
      files: ['test/payment/kills.release.test.ts'],
    },
    'kill-core': {
      about: 'no payment is lost or made twice while nodes and a remote core with wrong answers are killed',
      takes: '15 min',
      parameters: { COUNT: ['TEST_KILL_PAYMENTS', 2000], ...kills(60) },
      files: ['test/payment/remote/core-kills.release.test.ts'],
    },
    instant: {
      about:
        'an instant payment is not rejected because the core takes long, and is final soon after it decides',
      takes: 'minutes',
      parameters: {
        COUNT: ['TEST_INSTANT', 1000],
        SECONDS: ['TEST_INSTANT_SECONDS', 20],
        SEED: ['TEST_INSTANT_SEED', 1],
      },
      files: ['test/payment/remote/instant.release.test.ts'],
    },
    'bad-core': {
      about: 'the example cores are served as documented while they are slow and killed again and again',
      takes: 'minutes',
      parameters: {
        COUNT: ['TEST_CORE_PAYMENTS', 400],
        DELAY: ['TEST_CORE_DELAY', 3000],
        RESTART: ['TEST_CORE_RESTART', 20_000],
      },
      files: ['test/journeys/example-cores.release.test.ts'],
      flags: ['--testTimeout=1200000'],
    },
    core: {
      about: 'journeys, sandbox and pages are the same with the demo bank in the core simulator, behind HTTP',
      takes: 'minutes',
      environment: { TEST_CORE: 'simulator' },
      files: [
        'test/journeys',
        'test/sandbox',
        'test/account-pages/dashboard/dashboard.browser.release.test.ts',
        'test/account-pages/approve.browser.test.ts',
        'test/account-pages/approve-everyone.browser.release.test.ts',
      ],
    },
  },
  'Consents and events': {
    'kill-approvals': {
      about: 'no approval is lost, stuck or taken twice while nodes are killed',
      takes: 'minutes',
      parameters: { COUNT: ['TEST_KILL_APPROVALS', 300], ...kills(12) },
      files: ['test/account-pages/kill-approvals.release.test.ts'],
    },
    interleavings: {
      about: 'every order of the steps of two calls keeps the rules, also if there are thousands of orders',
      takes: 'minutes',
      environment: { TEST_INTERLEAVINGS: 'full' },
      files: ['test/interleavings'],
    },
    dispatchers: {
      about: 'the model of consents and payments keeps the rules with several dispatching nodes',
      takes: 'minutes',
      parameters: { NODES: ['TEST_MODEL_NODES', 2] },
      files: ['test/interleavings'],
    },
    'kill-events': {
      about: 'every change is notified, also if the node is killed between the two',
      takes: '20 min',
      parameters: {
        COUNT: ['TEST_KILL_EVENTS', 200],
        AT_ONCE: ['TEST_KILL_AT_ONCE', 1],
        SEED: ['TEST_KILL_SEED', 1],
      },
      files: ['test/events/kill.release.test.ts'],
    },
    'event-order': {
      about: 'notifications arrive in their order and none is lost',
      takes: '2 min',
      parameters: { COUNT: ['TEST_EVENTS', 1000], SEED: ['TEST_EVENT_SEED', 1] },
      files: ['test/events/delivery/order.release.test.ts'],
      flags: ['-t', 'none lost'],
    },
  },
  'Reading accounts': {
    sync: {
      about: 'a client that reads for thirty days has every row once, also from a core over HTTP',
      takes: 'minutes',
      environment: { TEST_SYNC: 'full' },
      files: ['test/journeys/daily-sync.release.test.ts'],
    },
    paging: {
      about:
        'a walk through very many transactions has each once while others arrive; a deep page costs no more',
      takes: 'minutes',
      parameters: { COUNT: ['TEST_PAGING', 1_000_000] },
      files: ['test/bank/paging.test.ts'],
    },
  },
  'Tokens, registration and certificates': {
    secret: {
      about: 'while the secret is changed three times on two nodes, no login, approval or read fails',
      takes: 'minutes',
      parameters: { COUNT: ['TEST_SECRET_JOURNEYS', 60] },
      files: ['test/journeys/secret-changes.release.test.ts'],
      flags: ['--testTimeout=1200000'],
    },
    refreshes: {
      about: 'no login is lost if two of five answers to its refreshes are, with two workers',
      takes: '1 min',
      parameters: { COUNT: ['TEST_REFRESHES', 1000] },
      files: ['test/oauth/lost-refreshes.test.ts'],
    },
    registrations: {
      about: 'third parties that register at once, and while nodes are killed, are there once and in whole',
      takes: 'minutes',
      parameters: { COUNT: ['TEST_REGISTRATIONS', 500] },
      files: ['test/api/registration/registration.test.ts', 'test/api/registration/kills.release.test.ts'],
      flags: ['-t', 'at once|killed'],
    },
    certificates: {
      about: 'no certificate with changed bytes is accepted, and each is refused in order',
      takes: '5 min',
      parameters: { COUNT: ['TEST_CERTIFICATES', 1_000_000] },
      files: ['test/certificate/verify.test.ts'],
      flags: ['-t', 'bytes'],
    },
  },
  Pages: {
    pages: {
      about: 'nothing is too wide, cut off or on top of something else, in all languages, widths and colours',
      takes: 'minutes',
      environment: { TEST_PAGES: 'full' },
      files: [
        'test/web/looks',
        'test/account-pages/approve-everyone.browser.release.test.ts',
        'test/account-pages/dashboard/dashboard.browser.release.test.ts',
        'test/account-pages/approve-terms.browser.release.test.ts',
        'test/account-pages/methods.browser.release.test.ts',
        'test/operator/console.browser.release.test.ts',
        'test/portal/first-hour.browser.release.test.ts',
      ],
    },
    look: {
      about: 'pictures of every page, to look at, in the folder .look',
      takes: 'minutes',
      parameters: { ONLY: ['TEST_LOOK', 'all'] },
      files: ['test/web/looks/contact-sheet.browser.test.ts'],
    },
    obstacles: {
      about: 'what each journey asks of an account holder, written to docs/obstacles.md',
      takes: 'minutes',
      environment: { TEST_OBSTACLES: 'write' },
      files: ['test/obstacles'],
    },
    dashboard: {
      about:
        'a person with 2,000 permissions and 100,000 records waits for a page no longer than one with ten',
      takes: 'minutes',
      parameters: { ROUNDS: ['TEST_YEARS', 25] },
      files: ['test/account-pages/dashboard/years.test.ts'],
    },
  },
  'The gate and the path of a request': {
    attacks: {
      about: 'the attack suite in full volume, on loopback',
      takes: 'minutes',
      environment: { TEST_ATTACKS: 'full' },
      parameters: { SEED: ['TEST_ATTACK_SEED', 20_261_116] },
      files: ['test/attacks'],
    },
    fuzz: {
      about: 'an oracle predicts every answer to generated requests; prints which statuses were provoked',
      takes: 'an hour',
      parameters: { COUNT: ['TEST_FUZZ', 200_000], SEED: ['TEST_SEED', 1] },
      files: ['test/journeys/fuzz-oracle.release.test.ts', 'test/journeys/fuzz.release.test.ts'],
    },
    walk: {
      about: 'the files through which a funds confirmation, an approval and a submission go',
      takes: '1 min',
      commands: ['tsc -p tsconfig.bench.json', 'node --conditions=unbundled .bench/walk/main.js'],
    },
  },
  'Store, nodes and operation': {
    faults: {
      about: 'the fault suite in full volume; -- -t "part resets" for one part',
      takes: 'hours',
      environment: { TEST_FAULTS: 'full' },
      parameters: {
        COUNT: ['TEST_FAULTS_COUNT'],
        MINUTES: ['TEST_FAULTS_MINUTES', 18],
        SEED: ['TEST_FAULTS_SEED', 1],
      },
      files: ['test/faults'],
    },
    recovery: {
      about: 'nothing acknowledged is lost by a restore to a moment, nor by a standby that takes over',
      takes: 'minutes',
      environment: { TEST_RECOVERY: '1', TEST_FAULTS: 'full' },
      files: ['test/faults/campaign/two-nodes.release.test.ts'],
      flags: ['-t', 'recovery:'],
    },
    ha: {
      about: 'the database of deploy/ha fails over by itself under load, and what was acknowledged is kept',
      takes: '35 min',
      environment: { TEST_FAULTS: 'full' },
      parameters: {
        COUNT: ['TEST_FAULTS_COUNT', 50],
        MINUTES: ['TEST_FAULTS_MINUTES', 60],
        SEED: ['TEST_FAULTS_SEED', 1],
      },
      files: ['test/faults/campaign/ha.release.test.ts'],
    },
    upgrade: {
      about: 'nodes of an older version and of this one serve one database under load',
      takes: '5 min',
      parameters: { SECONDS: ['TEST_UPGRADE', 120], OLDER: ['TEST_OLDER'] },
      files: ['test/upgrade/upgrade.release.test.ts'],
      flags: ['-t', 'rolling'],
    },
    'cut-over': {
      about: 'the data of a bank that changes to this interface are checked and written',
      takes: '10 min',
      parameters: { SIZE: ['TEST_CUT_OVER', '1000/100000'] },
      files: ['test/cli/data/cut-over.release.test.ts'],
    },
    deploy: {
      about:
        'proxies, alerts and the systemd unit of deploy/ do what they say; needs promtool, systemd and Caddy',
      takes: 'minutes',
      environment: { TEST_DEPLOY: 'full' },
      commands: [
        'promtool test rules deploy/prometheus/alerts.test.yml',
        'systemd-analyze security --offline=yes --threshold=20 --no-pager deploy/systemd/trapeza@.service',
      ],
      files: ['test/deploy'],
    },
    nodes: {
      about: 'transport, store, OAuth and a shared port on Node 22, 24 and 26, which npm fetches',
      takes: '10 min',
      versions: [22, 24, 26],
      files: [
        'test/gate/raw',
        'test/store',
        'test/oauth',
        'test/attacks/transport',
        'test/journeys/drain.test.ts',
        'test/faults/process/shared-port.release.test.ts',
      ],
      flags: ['--exclude', '**/*.browser.test.ts'],
    },
  },
  'Rules, documents and the tests themselves': {
    mutants: {
      about: 'each of a list of wrong lines is noticed by a test, on a copy',
      takes: 'half an hour',
      parameters: { ONLY: ['TEST_MUTANTS', 'all'], AFTER: ['TEST_MUTANTS_AFTER'] },
      files: ['test/mutants'],
    },
    stryker: {
      about: 'of the mutants of each file of pure rules at least 85 % are killed',
      takes: '5 min',
      commands: [
        'npm install --prefix .stryker --legacy-peer-deps --no-audit --no-fund --silent @stryker-mutator/core@9.6.1 @stryker-mutator/vitest-runner@9.6.1',
        '.stryker/node_modules/.bin/stryker run test/stryker/stryker.config.json',
        'node test/stryker/scores.js',
      ],
    },
    conformance: {
      about: 'each defect of a bank is found by its own case of the kit, and by no other of all',
      takes: '10 min',
      environment: { TEST_CONFORMANCE: 'full' },
      files: ['test/conformance'],
    },
    collections: {
      about: 'the collections run green with newman and Bruno, and openapi-typescript compiles the document',
      takes: 'minutes',
      environment: { TEST_COLLECTIONS: 'tools' },
      files: ['test/client/collections.test.ts'],
    },
  },
};
