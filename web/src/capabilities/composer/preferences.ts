import { serverSetting } from '../../platform/preferences.ts'

/** Whether Enter sends a message, and not Ctrl+Enter alone. */
export const enterSends = serverSetting('enter_sends', true)

/** Whether a key sends what is written, or saves what is edited. */
export function isSendKey({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !altKey && (ctrlKey || metaKey || enterSends.read())
}
