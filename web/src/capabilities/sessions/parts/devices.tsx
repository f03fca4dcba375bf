import { useEffect, useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { t } from '../../../kernel/strings.ts'
import { dayTitle } from '../../../kernel/time.ts'
import { askConfirmation } from '../../../platform/overlay/confirm.tsx'
import { toast } from '../../../platform/overlay/toasts.tsx'
import { endSession, readSessions, type Session } from '../actions.ts'
import './devices.css'

/** Loads the list on each visit, because no event reports changes. */
export function Devices() {
  const [sessions, setSessions] = useState<readonly Session[] | 'failed'>()
  const read = async (): Promise<void> => setSessions((await readSessions()) ?? 'failed')
  useEffect(() => void read(), [])
  if (sessions === undefined) return <p class="note">{t().app.loading}</p>
  if (sessions === 'failed')
    return (
      <button class="button" onClick={() => void read()}>
        {t().app.retry}
      </button>
    )
  const others = sessions.filter(({ is_current }) => !is_current)
  const end = async (some: readonly Session[]): Promise<void> => {
    const ended = await Promise.all(some.map(async ({ id }) => endSession(id)))
    if (ended.some(Boolean)) toast(ta().devices.ended)
    await read()
  }
  return (
    <>
      <ul class="devices">
        {sessions.map((session) => (
          <li key={session.id} class="device">
            <span class="device-name">
              <bdi>{session.device}</bdi>
              {session.is_current && <strong class="badge mine">{ta().devices.this}</strong>}
            </span>
            <span class="note">{ta().devices.used(dayTitle(session.last_used_at))}</span>
            {!session.is_current && (
              <button
                class="button"
                aria-label={ta().devices.signOutOf(session.device)}
                onClick={() => void end([session])}
              >
                {ta().devices.signOut}
              </button>
            )}
          </li>
        ))}
      </ul>
      {others.length === 0 ? (
        <p class="note">{ta().devices.none}</p>
      ) : (
        <button
          class="button danger"
          onClick={() =>
            askConfirmation({ text: ta().devices.othersSure, action: ta().devices.others, run: () => void end(others) })
          }
        >
          {ta().devices.others}
        </button>
      )}
    </>
  )
}
