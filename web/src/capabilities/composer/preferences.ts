import { serverSetting } from '../../platform/preferences.ts'

/** Whether Enter sends a message; Ctrl+Enter always does. */
export const enterSends = serverSetting('enter_sends', true)

export function isSendKey({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !altKey && (ctrlKey || metaKey || enterSends.read())
}
