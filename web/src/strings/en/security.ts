import { count } from './numbers.ts'

export const security = {
  security: 'Security',
  secondFactor: 'Two-factor authentication',
  more: 'Sign in with a code from an authenticator app in addition to your password.',
  setUp: 'Set up two-factor authentication',
  remove: 'Turn off two-factor authentication',
  removed: 'Two-factor authentication turned off',
  newCodes: 'Create new recovery codes',
  since: (day: string) => `Set up on ${day}`,
  codesLeft: (left: number) => `You have ${count(left, 'recovery code', 'recovery codes')} left.`,
  required: 'This organization requires two-factor authentication.',
  passwordHint: 'Leave empty if you don’t have one.',
  next: 'Next',
  scan: 'Scan this code with your authenticator app.',
  qrCode: 'QR code for the authenticator app',
  type: 'Or enter this key in the app:',
  code: 'Code',
  codeHint: 'The 6-digit code from your app, or a recovery code. If you have neither, ask an admin.',
  firstCodeHint: 'The 6-digit code from your app.',
  confirm: 'Confirm',
  recoveryCodes: 'Recovery codes',
  keepCodes:
    'Store these codes somewhere safe. Each one signs you in once if you lose your authenticator app. They won’t be shown again.',
  copyCodes: 'Copy',
  kept: 'I’ve saved the codes',
  enter: 'One more step',
  again: 'Sign in again',
  setUpFirst: 'This organization requires two-factor authentication. Set it up to sign in.',
  confirming: {
    title: 'Confirm that it’s you',
    more: 'You signed in a while ago. Confirm that it’s you to make this change.',
    signInAgain: 'You signed in a while ago. Sign in again to make this change.',
    passkey: 'Use a passkey',
  },
  password: {
    title: 'Password',
    more: 'If you don’t have a password, sign out and choose “Forgot your password?”.',
    current: 'Current password',
    next: 'New password',
    change: 'Change password',
    changed:
      'Password changed. Other browsers are signed out, and your API tokens are revoked. Passkeys, your API key, and channel email addresses still work. You can revoke them below.',
  },
  otherAccess: {
    title: 'Other access',
    more: 'If someone else may have used your account, change your password, then revoke everything else that gives access to it: other sign-ins, passkeys, keys, tokens, and email addresses of channels.',
    revoke: 'Revoke all other access',
    sure: 'Revoke all other access? Other devices are signed out. Passkeys, API keys and tokens, and channel email addresses stop working, also for your bots. Only this browser, your password, and two-factor authentication keep working.',
  },
  passkeys: {
    title: 'Passkeys',
    more: 'Sign in with your fingerprint, face, or device PIN instead of a password and code.',
    add: 'Add passkey',
    added: 'Passkey added',
    stopped: 'No passkey was created.',
    unknown: 'Passkeys aren’t available here. They need an encrypted page (HTTPS).',
    name: 'Name',
    nameHint: 'For example, the device that stores it.',
    go: 'Continue on your device',
    rename: 'Rename',
    renameOf: (name: string) => `Rename ${name}`,
    remove: 'Remove',
    removeOf: (name: string) => `Remove ${name}`,
    removeSure: (name: string) => `Remove ${name}? You won’t be able to sign in with it anymore.`,
    removed: 'Passkey removed',
    made: (day: string) => `Created on ${day}`,
    signIn: 'Sign in with a passkey',
    needed: 'Sign in with one of your passkeys.',
  },
}

export const unsaved = {
  notUploaded: (file: string) => `${file} was not uploaded`,
  attachAgain: 'Attach again',
  dismiss: 'Dismiss',
  editMoved: (topic: string) => `The message you’re editing was moved to ${topic}.`,
  goToMessage: 'Go to message',
  editGone: 'The message you were editing is gone. Your text is now a draft.',
}

export type UnsavedTexts = typeof unsaved

export type Security = typeof security
