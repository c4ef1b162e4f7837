/** The version of the directory: every change increments it, every node polls it. */
import type { Queries } from '../store/db.js';
import { incrementSetting, readSetting } from '../store/settings.js';

const VERSION = 'directory-version';

export const bumpVersion = (tx: Queries): Promise<void> => incrementSetting(tx, VERSION);

export const readVersion = async (db: Queries): Promise<string> => (await readSetting(db, VERSION)) ?? '0';
