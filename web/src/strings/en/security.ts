import { count } from './numbers.ts'

/** The texts about what one signs in with, in the settings and on the pages for people who are not signed in. */
export const security = {
  security: 'Security',
  secondFactor: 'Second factor',
  more: 'An application on your phone shows codes. Whoever knows your password then still cannot sign in.',
  setUp: 'Set up a second factor',
  remove: 'Remove the second factor',
  removed: 'Second factor removed',
  newCodes: 'New recovery codes',
  since: (day: string) => `Set up: ${day}`,
  codesLeft: (left: number) => `You have ${count(left, 'recovery code', 'recovery codes')} left.`,
  required: 'This organization requires a second factor of you.',
  passwordHint: 'Leave it empty if you have none.',
  next: 'Next',
  scan: 'Scan this picture with an application for codes.',
  qrCode: 'QR code for the application',
  type: 'Or type this key there:',
  code: 'Code',
  codeHint: 'The six digits that the application shows, or a recovery code.',
  firstCodeHint: 'The six digits that the application shows.',
  confirm: 'Confirm',
  recoveryCodes: 'Recovery codes',
  keepCodes:
    'Keep these codes in a safe place. Each of them signs you in once when you do not have the application. They are not shown again.',
  copyCodes: 'Copy',
  kept: 'I have kept them',
  enter: 'One more step',
  again: 'Sign in again',
  setUpFirst: 'This organization requires a second factor of you. Set it up to sign in.',
}

export type Security = typeof security
