/** Every page in every state that people meet, in one list: the geometry test measures them, `npm run prove -- look` pictures them. */
import type { Page } from 'playwright-core';
import { guidePath, guides } from '../../../src/portal/guides/guides.js';
import type { Service } from '../../support/service.js';
import { areaPaths, operationPaths } from '../support.js';
import { approvalScenes } from './approval-scenes.js';
import { dashboardScenes } from './dashboard-scenes.js';
import { portalScenes } from './portal-scenes.js';
import { tppScenes } from './tpp-scenes.js';

export const languages = ['el', 'en'] as const;
export type Language = (typeof languages)[number];

export interface Visit {
  readonly page: Page;
  readonly service: Service;
  /** Opens a path of the service. */
  open(path: string): Promise<void>;
}

export interface Scene {
  readonly name: string;
  /** The reference is in English alone. */
  readonly isEnglishOnly?: boolean;
  /** Another page has the same parts: it is pictured, but not measured. */
  readonly isAlike?: boolean;
  /** Leads a fresh browser to the page. */
  show(visit: Visit): Promise<void>;
}

/** Of many operations and guides these have all parts. */
export const typicalPaths: readonly string[] = [
  '/docs/piis/confirm-funds',
  '/docs/ais/get-transactions',
  '/docs/guides',
  '/docs/guides/payment',
  '/docs/guides/signatures',
  '/docs/guides/notifications',
  '/docs/guides/berlin-group',
];

const developerPage = (path: string): Scene => ({
  name: path,
  isEnglishOnly: true,
  isAlike: operationPaths.includes(path) && !typicalPaths.includes(path),
  show: ({ open }) => open(path),
});

const developerPaths = [
  '/docs',
  ...areaPaths,
  ...operationPaths,
  '/docs/search?q=consent',
  '/docs/changes',
  '/problems',
  '/problems/validation-failed',
  '/problems/quota-exceeded',
  '/sandbox/credentials',
];

const guidePaths = ['/docs/guides', ...guides.map(({ slug }) => guidePath(slug))];

export const scenes: readonly Scene[] = [
  { name: '/', show: ({ open }) => open('/') },
  { name: '/banks', show: ({ open }) => open('/banks') },
  { name: '/statistics', show: ({ open }) => open('/statistics') },
  { name: '/status', show: ({ open }) => open('/status') },
  { name: '/docs/scenarios', show: ({ open }) => open('/docs/scenarios') },
  ...developerPaths.map(developerPage),
  ...guidePaths.map(
    (path): Scene => ({ name: path, isAlike: !typicalPaths.includes(path), show: ({ open }) => open(path) }),
  ),
  { name: 'ATMs', show: ({ open }) => open('/atms?near=Θεσσαλονίκη&service=CashDeposits') },
  {
    name: 'ATMs: a filter that is wrong',
    show: ({ open }) => open('/atms?service=Teleport&near=Ατλαντίδα'),
  },
  { name: 'no page here', show: ({ open }) => open('/docs/xyz') },
  ...approvalScenes,
  ...dashboardScenes,
  ...portalScenes,
  ...tppScenes,
];

/** The scene in each of its languages. */
export const performances: readonly { readonly scene: Scene; readonly lang: Language }[] = scenes.flatMap(
  (scene) =>
    languages.filter((lang) => lang === 'en' || !scene.isEnglishOnly).map((lang) => ({ scene, lang })),
);
