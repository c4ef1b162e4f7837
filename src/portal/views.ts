/** All pages of the documentation but the guides: what they are called and how they are made. */
import { problemSlugs } from '../http/problem-schema.js';
import type { ShellProps } from '../web/components/shell.js';
import type { Frame } from '../web/frame.js';
import { type AreaView, operationPath } from './areas.js';
import { problemListPage } from './problems/problem-list-page.js';
import { problemPage } from './problems/problem-page.js';
import { areaPage } from './reference/area-page.js';
import { changesPage } from './reference/changes-page.js';
import type { NavigationParts } from './reference/docs-page.js';
import { operationPage } from './reference/operation/operation-page.js';
import { referencePage } from './reference/reference-page.js';

export interface View {
  readonly path: string;
  /** Under which `/llms.txt` lists it. */
  readonly section: string;
  readonly make: (frame: Frame) => ShellProps;
}

const REFERENCE = 'Reference';
const PROBLEMS = 'Problems';

export interface ViewParts extends Omit<NavigationParts, 'frame'> {
  readonly timeZone: string;
}

const ofArea = (area: AreaView, parts: ViewParts): readonly View[] => [
  { path: area.path, section: area.title, make: (frame) => areaPage({ ...parts, frame, area }) },
  ...area.operations.map((operation) => ({
    path: operationPath(area, operation),
    section: area.title,
    make: (frame: Frame) => operationPage({ ...parts, frame, area, operation }),
  })),
];

export const viewsOf = (parts: ViewParts): readonly View[] => [
  { path: '/docs', section: REFERENCE, make: (frame) => referencePage({ ...parts, frame }) },
  ...parts.areas.flatMap((area) => ofArea(area, parts)),
  { path: '/docs/changes', section: REFERENCE, make: (frame) => changesPage({ ...parts, frame }) },
  { path: '/problems', section: PROBLEMS, make: problemListPage },
  ...problemSlugs.map((slug) => ({
    path: `/problems/${slug}`,
    section: PROBLEMS,
    make: (frame: Frame) => problemPage({ frame, slug }),
  })),
];
