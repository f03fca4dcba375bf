import { users } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { LANGUAGES, t } from '../kernel/strings.ts'
import { store } from '../platform/client.ts'
import { ask } from '../platform/requests.ts'
import { Header } from './header.tsx'
import { applyAppearance, SCHEMES } from './appearance.ts'

type Settings = Parameters<typeof ask<typeof users.updateSettings>>[1]

async function save(change: Settings): Promise<void> {
  await ask(users.updateSettings, change)
  applyAppearance()
}

/** How the client looks and behaves for the one who uses it; each choice is saved at once. */
export function SettingsView() {
  const settings = store().read('user_settings')
  return (
    <>
      <Header title={t().settings.title} />
      <div class="view-scroll">
        <div class="topics form">
          <h2>{t().settings.appearance}</h2>
          <Choice
            label={t().settings.theme}
            value={String(settings['color_scheme'] ?? SCHEMES.system)}
            options={[
              [String(SCHEMES.system), t().settings.system],
              [String(SCHEMES.light), t().settings.light],
              [String(SCHEMES.dark), t().settings.dark],
            ]}
            onChoose={(value) => void save({ color_scheme: Number(value) })}
          />
          <Choice
            label={t().settings.fontSize}
            value={String(settings['web_font_size_px'] ?? 16)}
            options={[14, 15, 16, 18, 20].map((size) => [String(size), `${size} px`])}
            onChoose={(value) => void save({ web_font_size_px: Number(value) })}
          />
          <Choice
            label={t().settings.language}
            value={String(settings['default_language'] ?? 'en')}
            options={Object.entries(LANGUAGES).map(([code, { name }]) => [code, name])}
            onChoose={(value) => void save({ default_language: value })}
          />
          <label class="check">
            <input
              type="checkbox"
              checked={settings['twenty_four_hour_time'] === true}
              onChange={(event) => void save({ twenty_four_hour_time: event.currentTarget.checked })}
            />
            <span>{t().settings.twentyFourHours}</span>
          </label>
          <h2>{t().settings.writing}</h2>
          <label class="check">
            <input
              type="checkbox"
              checked={settings['enter_sends'] !== false}
              onChange={(event) => void save({ enter_sends: event.currentTarget.checked })}
            />
            <span>
              {t().settings.enterSends}
              <br />
              <span class="note">{t().settings.enterSendsMore}</span>
            </span>
          </label>
          <h2>{t().settings.notifications}</h2>
          <NotificationSetting />
          <h2>{t().settings.reading}</h2>
          <Choice
            label={t().settings.markRead}
            value={settings['web_mark_read_on_scroll_policy'] === 3 ? '3' : '2'}
            options={[
              ['2', t().settings.markReadSeen],
              ['3', t().settings.markReadNever],
            ]}
            onChoose={(value) => void save({ web_mark_read_on_scroll_policy: Number(value) })}
          />
        </div>
      </div>
    </>
  )
}

/** The reader's setting, and what the browser has to allow for it. */
function NotificationSetting() {
  const [isRefused, setRefused] = useState('Notification' in window && Notification.permission === 'denied')
  const choose = async (isWanted: boolean): Promise<void> => {
    await save({ enable_desktop_notifications: isWanted })
    if (isWanted && 'Notification' in window) setRefused((await Notification.requestPermission()) !== 'granted')
  }
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={store().read('user_settings')['enable_desktop_notifications'] !== false}
        onChange={(event) => void choose(event.currentTarget.checked)}
      />
      <span>
        {t().settings.notify}
        {isRefused && <span class="note"> {t().settings.notifyRefused}</span>}
      </span>
    </label>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [string, string])[]
  readonly onChoose: (value: string) => void
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select class="input" value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
