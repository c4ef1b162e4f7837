/** The driver of the embedded engine. */
import { createRequire } from 'node:module';
import type { Value } from '../db.js';

/** The part of `node:sqlite` we use; @photostructure/sqlite has the same interface where Node lacks a stable one. */
export interface Statement {
  all(...params: Value[]): unknown[];
  get(...params: Value[]): unknown;
  run(...params: Value[]): { changes: number | bigint };
}
export interface PreparedStatement extends Statement {
  columns(): readonly { readonly name: string }[];
  setReturnArrays(isOn: boolean): void;
}
export interface Connection {
  prepare(sql: string): PreparedStatement;
  exec(sql: string): void;
  close(): void;
}
type ConnectionClass = new (path: string) => Connection;

export const driver = (): ConnectionClass => {
  const load = createRequire(import.meta.url);
  const major = Number(process.versions.node.split('.')[0]);
  const name = major >= 24 ? 'node:sqlite' : '@photostructure/sqlite';
  return (load(name) as { DatabaseSync: ConnectionClass }).DatabaseSync;
};
