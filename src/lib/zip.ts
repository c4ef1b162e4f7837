/** A zip archive of small text files, not compressed (PKWARE APPNOTE 6.3.3). */
import { crc32 } from 'node:zlib';

const UTF8_NAMES = 0x0800;
const VERSION = 20;
/** 1 January 1980, the first day that the format knows: the same files are the same bytes. */
const FIRST_DAY = 0x0021;

const sharedHead = (content: Buffer, nameLength: number): Buffer => {
  const head = Buffer.alloc(26);
  head.writeUInt16LE(VERSION, 0);
  head.writeUInt16LE(UTF8_NAMES, 2);
  head.writeUInt16LE(FIRST_DAY, 8);
  head.writeUInt32LE(crc32(content), 10);
  head.writeUInt32LE(content.length, 14);
  head.writeUInt32LE(content.length, 18);
  head.writeUInt16LE(nameLength, 22);
  return head;
};

const signed = (signature: number, ...parts: readonly Buffer[]): Buffer => {
  const start = Buffer.alloc(4);
  start.writeUInt32LE(signature);
  return Buffer.concat([start, ...parts]);
};

/** By path, with `/` between folders. */
export const zipOf = (files: Readonly<Record<string, string>>): Buffer => {
  const bodies: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const [name, content] = [Buffer.from(path), Buffer.from(text)];
    const head = sharedHead(content, name.length);
    const body = signed(0x04034b50, head, name, content);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    entries.push(signed(0x02014b50, head.subarray(0, 2), head, place, name));
    bodies.push(body);
    offset += body.length;
  }
  const list = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...bodies, list, signed(0x06054b50, end)]);
};
