import { users } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { t } from '../../../kernel/strings.ts'
import { FilterField } from '../../../platform/dom/filter-field.tsx'
import { PasswordField } from '../../../platform/dom/password-field.tsx'
import { OpenedList } from '../../../platform/list/opened-list.tsx'
import { FormDialog } from '../../../platform/overlay/form-dialog.tsx'
import { findAccounts, addressOf, createAccount, ROLES, type Role } from '../accounts.ts'
import { AccountDialog } from './account-dialog.tsx'
import { Avatar } from './avatar.tsx'
import './accounts.css'

const ROW_PIXELS = 52

export function Accounts() {
  const [query, setQuery] = useState('')
  const [role, setRole] = useState<Role>()
  const [isActive, setActive] = useState(true)
  const shown = findAccounts(query, role, isActive)
  return (
    <OpenedList
      label={ta().accounts.all}
      things={shown}
      idOf={({ user_id: id }) => id}
      height={ROW_PIXELS}
      row={(person) => (
        <>
          <Avatar userId={person.user_id} size={32} />
          <span class="account-names">
            <bdi>{person.full_name}</bdi>
            <bdi class="note">{addressOf(person) ?? ta().accounts.noAddress}</bdi>
          </span>
          <span class="note">{t().people.roles[person.role]}</span>
        </>
      )}
      filter={
        <>
          <FilterField label={ta().accounts.find} value={query} onChange={setQuery} />
          <select
            class="input"
            aria-label={ta().accounts.role}
            value={String(role ?? '')}
            onChange={({ currentTarget }) => setRole(ROLES.find((one) => String(one) === currentTarget.value))}
          >
            <option value="">{ta().accounts.everyRole}</option>
            {ROLES.map((one) => (
              <option key={one} value={String(one)}>
                {t().people.roles[one]}
              </option>
            ))}
          </select>
          <select
            class="input"
            aria-label={ta().accounts.state}
            value={isActive ? 'active' : 'deactivated'}
            onChange={({ currentTarget }) => setActive(currentTarget.value === 'active')}
          >
            <option value="active">{ta().accounts.active}</option>
            <option value="deactivated">{ta().accounts.deactivated}</option>
          </select>
        </>
      }
      create={ta().accounts.create}
      making={(onClose) => <NewAccount onClose={onClose} />}
      opened={(id, onClose) => <AccountDialog key={id} userId={id} onClose={onClose} />}
    >
      <p class="note" role="status">
        {ta().accounts.number(shown.length)}
      </p>
    </OpenedList>
  )
}

function NewAccount({ onClose }: { readonly onClose: (id?: number) => void }) {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  return (
    <FormDialog
      title={ta().accounts.create}
      action={ta().accounts.create}
      save={async () => onClose(await createAccount({ email: email.trim(), full_name: name.trim(), password }))}
      onClose={() => onClose()}
    >
      <label class="field">
        <span>{ta().accounts.email}</span>
        <input
          class="input"
          type="email"
          required
          autofocus
          autocomplete="off"
          value={email}
          onInput={({ currentTarget }) => setEmail(currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>{ta().accounts.name}</span>
        <input
          class="input"
          required
          dir="auto"
          autocomplete="off"
          maxLength={users.MAX_FULL_NAME_CHARACTERS}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <div class="field">
        <label for="account-password">{ta().accounts.password}</label>
        <PasswordField
          id="account-password"
          required
          autocomplete="new-password"
          value={password}
          onInput={({ currentTarget }) => setPassword(currentTarget.value)}
        />
      </div>
      <p class="note">{ta().accounts.passwordMore}</p>
    </FormDialog>
  )
}
