import { count } from './numbers.ts'

export const app = {
  name: 'Parley',
  loading: 'Loading …',
  skipToMessages: 'Skip to the content',
  failed: 'This could not be loaded.',
  retry: 'Try again',
  notFound: 'There is nothing here',
  notFoundMore: 'The address may be wrong, or you may not see what was here.',
  close: 'Close',
  cancel: 'Cancel',
  undo: 'Undo',
  noConnection: 'No connection. You can read on; what you write is sent when there is one.',
  notKept: 'This browser keeps nothing here: without a connection there will be nothing to read.',
  check: 'Check what is shown against the server',
  isBusy: 'Too much happens to compare. Try again in a moment.',
  isRight: 'All that is shown is as the server has it.',
  wasMended: (fields: number) => `${count(fields, 'part', 'parts')} differed from the server, and were read anew.`,
  newBuild: 'A newer version of Parley is there.',
  reload: 'Reload',
  more: 'More',
  options: (number: number) => count(number, 'suggestion', 'suggestions'),
}
