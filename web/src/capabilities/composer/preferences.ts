import { serverSetting } from '../../platform/preferences.ts'

/** Whether Enter sends a message, and not Ctrl+Enter alone. */
export const enterSends = serverSetting('enter_sends', true)
