import type { channels } from '@parley/server/contract'
import { loadAdministration } from '../../../kernel/administration.ts'
import { t } from '../../../kernel/strings.ts'
import { lazily } from '../../../platform/dom/lazy.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { setSubscriptionProperty } from '../actions.ts'
import { maySendTo } from '../../message-edits/rules.ts'
import { subscriptionTo } from '../state.ts'

/** Notification settings of a channel. If one is not set, the user's general setting applies. */
const NOTIFICATIONS = [
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const

const MailAddress = lazily(async () => {
  await loadAdministration()
  return (await import('../administration.tsx')).MailAddress
})

export function OwnSettings({ channelId }: { readonly channelId: number }) {
  const [refusal, run] = useRefusal()
  const channel = subscriptionTo(channelId)
  if (channel === undefined) return null
  const set = (property: channels.SubscriptionProperty, value: string | boolean): void =>
    void run(async () => setSubscriptionProperty(channelId, property, value))
  return (
    <div class="form">
      <label class="check">
        <input
          type="checkbox"
          checked={channel.is_muted}
          onChange={({ currentTarget }) => set('is_muted', currentTarget.checked)}
        />
        <span>{t().channel.mute}</span>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={channel.pin_to_top}
          onChange={({ currentTarget }) => set('pin_to_top', currentTarget.checked)}
        />
        <span>{t().channel.pin}</span>
      </label>
      <label class="check">
        <input type="color" value={channel.color} onChange={({ currentTarget }) => set('color', currentTarget.value)} />
        <span>{t().channel.color}</span>
      </label>
      {NOTIFICATIONS.map((property) => (
        <label key={property} class="field">
          <span>{t().channel.notifications[property]}</span>
          <select
            class="input"
            value={String(channel[property])}
            onChange={({ currentTarget }) => set(property, currentTarget.value === 'true')}
          >
            {channel[property] === null && <option value="null">{t().channel.asElsewhere}</option>}
            <option value="true">{t().channel.yes}</option>
            <option value="false">{t().channel.no}</option>
          </select>
        </label>
      ))}
      {refusal}
      {maySendTo(channel) && <MailAddress channel={channel} />}
    </div>
  )
}
