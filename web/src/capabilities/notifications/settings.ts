import { signal } from '@preact/signals'
import { toggle, type SettingsGroup } from '../../kernel/setting.ts'
import { t } from '../../kernel/strings.ts'
import { serverSetting } from '../../platform/preferences.ts'

const hasDesktop = serverSetting('enable_desktop_notifications', true)

/** What the browser says of notifications, which only changes when it asks. */
const permission = signal('Notification' in window ? Notification.permission : 'denied')

export const groups: readonly SettingsGroup[] = [
  {
    settings: [
      toggle(
        {
          id: 'desktop',
          title: () => t().settings.notify,
          note: () => (permission.value === 'denied' ? t().settings.notifyRefused : undefined),
        },
        {
          read: hasDesktop.read,
          write: async (isWanted) => {
            const written = hasDesktop.write(isWanted)
            if (isWanted && 'Notification' in window) permission.value = await Notification.requestPermission()
            return written
          },
        },
      ),
    ],
  },
]
