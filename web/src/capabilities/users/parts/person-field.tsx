import type { users } from '@parley/server/contract'
import { caseKey } from '@parley/server/kernel/case-key'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { rankItems } from '../../../kernel/ranking.ts'
import { t } from '../../../kernel/strings.ts'
import { Avatar } from './avatar.tsx'
import { PersonMark } from './signs.tsx'
import './people-picker.css'

interface PersonFieldProps {
  readonly label: string
  readonly among: readonly users.User[]
  readonly onChoose: (userId: number) => void
  readonly children?: ComponentChildren
}

export function PersonField({ label, among, onChoose, children }: PersonFieldProps) {
  const [typed, setTyped] = useState('')
  const query = caseKey(typed.trim())
  const found = query === '' ? [] : rankItems(among, query, ({ full_name: name }) => name)
  return (
    <div class="people-picker">
      <input
        class="input"
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {query !== '' && found.length === 0 && <p class="note">{t().nav.noMatch}</p>}
      {found.length > 0 && children}
      {found.length > 0 && (
        <ul>
          {found.map(({ user_id: id, full_name: name }) => (
            <li key={id}>
              <button
                type="button"
                class="person-row"
                onClick={() => {
                  setTyped('')
                  onChoose(id)
                }}
              >
                <Avatar userId={id} size={24} />
                <bdi>{name}</bdi>
                <PersonMark userId={id} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
