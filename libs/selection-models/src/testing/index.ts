export { appSnapshot } from './app-snapshot.ts';
export { context, hourMs, issuedAt } from './context.ts';
export { learned, learnedFrom, learningLog } from './learned.ts';
