// Prints the plain count of the run and fails where a test was skipped: on a machine of ours nothing may be missing.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const skipped = report.numPendingTests + (report.numTodoTests ?? 0);
console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed, ${skipped} skipped`);
if (skipped > 0 || report.numFailedTests > 0 || report.numPassedTests === 0) process.exit(1);
