// Prints the plain count of all reports and fails if a test failed or was skipped: on a machine of ours nothing may be missing.
import { readFileSync } from 'node:fs';

const reports = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, 'utf8')));
const sum = (count) => reports.reduce((total, report) => total + (count(report) ?? 0), 0);
const passed = sum((report) => report.numPassedTests);
const failed = sum((report) => report.numFailedTests);
const skipped = sum((report) => report.numPendingTests) + sum((report) => report.numTodoTests);
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
const isEmpty = reports.some((report) => report.numPassedTests === 0);
if (skipped > 0 || failed > 0 || isEmpty || reports.length === 0) process.exit(1);
