/**
 * What can be added to the service without changing it: operations, pages, jobs, tables, a bank, a time of its own. The sandbox is
 * an extension; it uses nothing that another program could not use.
 */

import type { IncomingMessage } from 'node:http';
import type { DemoOperator } from '../admin/operators.js';
import type { AccountHolders } from '../bank/account-holders.js';
import type { HeldBank } from '../bank/bank.js';
import type { Core } from '../bank/http/open-core.js';
import type { Trust } from '../certificate/trust.js';
import type { Config } from '../config/config.js';
import type { Guard } from '../gate/guard/guard.js';
import type { ReplayParts } from '../gate/request-ids.js';
import type { Mount } from '../http/exchange.js';
import type { Operation } from '../http/operation.js';
import type { Page } from '../http/pages.js';
import type { Site } from '../http/render.js';
import type { Job } from '../jobs/jobs.js';
import type { BankTime, Clock, SharedClock } from '../lib/clock.js';
import type { Source } from '../lib/net/address.js';
import type { Vault } from '../lib/vault.js';
import type { ClientId, PsuId } from '../model/ids.js';
import type { Log } from '../observe/log.js';
import type { SecurityEvents } from '../observe/security-events.js';
import type { DeveloperPortal } from '../portal/developer/port.js';
import type { SignatureVerifier } from '../signature/verify.js';
import type { Db } from '../store/db.js';
import type { Migration } from '../store/migrate.js';
import type { SealedKind } from '../store/sealed-rows.js';
import type { Directory } from '../tpp/directory.js';
import type { Brand } from '../web/brand/brand.js';
import type { Frame, PageAdditions } from '../web/frame.js';
import type { OwnReach } from './reach.js';

/** What there is before the rooms are opened. The store has the extension's tables. */
export interface ExtensionBase {
  readonly config: Config;
  /** Of this machine. */
  readonly clock: Clock;
  /** Of the store. */
  readonly storeClock: SharedClock;
  readonly log: Log;
  readonly vault: Vault;
  readonly db: Db;
  readonly site: Site;
  readonly security: Pick<SecurityEvents, 'event'>;
  readonly guard: Guard;
  /** Whom limits and security events count a request for. */
  readonly sourceOf: (request: IncomingMessage) => Source;
  readonly bankTime: () => Promise<BankTime>;
  /** The bank's core over HTTP, if one is configured. */
  readonly core: Core | undefined;
  /** What the bank has set of its own name and look. */
  readonly brand: Brand | undefined;
  /** Where addresses that strangers have chosen may lead. */
  readonly reach: OwnReach;
  /** For work that takes long at the first start. */
  readonly tell: (line: string) => void;
}

/** The service as operations, pages and jobs of an extension see it. */
export interface ExtensionParts extends ExtensionBase {
  readonly bank: HeldBank;
  readonly accountHolders: AccountHolders | undefined;
  readonly directory: Pick<Directory, 'find' | 'refresh'>;
  readonly signatures: SignatureVerifier;
  /** The address of the client. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly issueToken: (claims: {
    readonly psuId: PsuId;
    readonly clientId: ClientId;
    readonly scope: string;
  }) => Promise<string>;
  /** Reads the published list of ATMs anew. */
  readonly refreshAtms: () => Promise<void>;
}

/** What the pages of an extension are drawn in. */
export interface PageParts extends ExtensionParts {
  readonly frame: () => Frame;
  /** Answers when all pages are known. */
  readonly hasPage: (path: string) => boolean;
}

/** An extension in a running service. Each member is optional. */
export interface OpenExtension {
  /** Used if no bank is configured. */
  readonly bank?: HeldBank;
  readonly wrapBank?: (bank: HeldBank) => HeldBank;
  /** Used if the bank brings no login. */
  readonly accountHolders?: AccountHolders;
  /** Issuers of certificates that are trusted beside the configured ones, and the hosts that may be asked about them. */
  readonly trust?: {
    readonly anchors: Trust;
    readonly hosts: () => readonly string[];
    /** In any name: what such a certificate says of its holder is not believed where that would harm another one. */
    readonly issuesToAnybody?: boolean;
  };
  /** Before a write takes place; what it throws is the answer. */
  readonly beforeEffect?: ReplayParts['beforeEffect'];
  /** All operations of the service, given those of the interface. */
  readonly operations?: (parts: ExtensionParts, api: readonly Operation[]) => readonly Operation[];
  readonly pages?: (parts: PageParts) => {
    readonly pages: readonly Page[];
    readonly mounts: readonly Mount[];
  };
  /** Its own addresses that take notifications of the service. */
  readonly receivers?: () => readonly string[];
  readonly jobs?: readonly Job[];
  readonly additions?: () => PageAdditions;
  /** The look of the pages for account holders, if the bank has set none. */
  readonly brand?: Brand;
  /** Who visits the pages for developers below `/portal`. Without it these pages do not exist. */
  readonly portal?: DeveloperPortal;
  /** An account for the operator console that everybody may use. */
  readonly demoOperator?: DemoOperator;
  /** The address of the service is known. */
  readonly listening?: (parts: ExtensionParts) => Promise<void>;
  /** The service has answered its last request. */
  readonly close?: () => Promise<void>;
}

export interface Extension {
  readonly name: string;
  /** For tests: allows loopback addresses if the service is at one, sends the bank's time to the core, and lets the core show its codes. */
  readonly isTest: boolean;
  /** With ids from 10,000 on. */
  readonly migrations: readonly Migration[];
  /** What it keeps sealed. */
  readonly sealed?: readonly SealedKind[];
  /** The time of the bank, if it is not the real one. */
  bankTime?(db: Db, clock: Clock): () => Promise<BankTime>;
  /** The id of a person whom operators know by another name. */
  findPerson?(db: Db, name: string): Promise<string | undefined>;
  /** As `operations`, for documents: nothing of it is called. */
  describe(api: readonly Operation[]): readonly Operation[];
  open(base: ExtensionBase): Promise<OpenExtension>;
}

export const bankTimeIn = (
  extensions: readonly Extension[],
  db: Db,
  clock: Clock,
): (() => Promise<BankTime>) =>
  extensions.find((each) => each.bankTime)?.bankTime?.(db, clock) ?? (async () => clock.now() as number);
