/** The calls of the interface as collections for Postman and Bruno, packaged with the product; they name the service's own address. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageAnswer } from '../../http/pages.js';
import { ownFile } from '../../lib/own-file.js';
import { zipOf } from '../../lib/zip.js';
import type { Frame } from '../../web/frame.js';
import { WRITTEN_ADDRESS } from '../guides/guides.js';

const FOLDER = ownFile('docs/collections');
const BRUNO_FOLDER = join(FOLDER, 'bruno');
const POSTMAN_FILE = 'trapeza.postman_collection.json';
const BRUNO_FILE = 'trapeza.bruno.zip';

export const POSTMAN = `/docs/${POSTMAN_FILE}`;
export const BRUNO = `/docs/${BRUNO_FILE}`;

const collectionText = (file: string, { baseUrl }: Frame): string =>
  readFileSync(file, 'utf8').replaceAll(WRITTEN_ADDRESS, baseUrl);

const download = (name: string) => ({
  'Content-Disposition': `attachment; filename="${name}"`,
});

export const postmanCollection = (frame: Frame): PageAnswer => ({
  status: 200,
  type: 'application/json',
  body: collectionText(join(FOLDER, POSTMAN_FILE), frame),
  headers: download(POSTMAN_FILE),
});

/** A folder of files, as Bruno has its collections. */
export const brunoCollection = (frame: Frame): PageAnswer => {
  const paths = readdirSync(BRUNO_FOLDER, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.(?:bru|json)$/.test(path))
    .toSorted();
  const files = paths.map(
    (path) => [`trapeza/${path}`, collectionText(join(BRUNO_FOLDER, path), frame)] as const,
  );
  return {
    status: 200,
    type: 'application/zip',
    body: zipOf(Object.fromEntries(files)),
    headers: download(BRUNO_FILE),
  };
};
