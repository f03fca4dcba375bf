import { users } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { t } from '../../../kernel/strings.ts'
import { FilterField } from '../../../platform/dom/filter-field.tsx'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Rows } from '../../../platform/list/rows.tsx'
import { Dialog, DialogActions } from '../../../platform/overlay/dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { accountsWith, addressOf, openAccount, ROLES, type Role } from '../accounts.ts'
import { AccountDialog } from './account-dialog.tsx'
import { Avatar } from './avatar.tsx'
import './accounts.css'

const ROW_PIXELS = 52

/** The accounts of all people, of which each is opened. */
export function Accounts() {
  const [query, setQuery] = useState('')
  const [role, setRole] = useState<Role>()
  const [isActive, setActive] = useState(true)
  const [open, setOpen] = useState<number>()
  const [isMaking, setMaking] = useState(false)
  const shown = accountsWith(query, role, isActive)
  return (
    <div class="form">
      <div class="accounts-filter">
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
        <button class="button primary" onClick={() => setMaking(true)}>
          <Icon name="plus" size={16} />
          {ta().accounts.create}
        </button>
      </div>
      <p class="note" role="status">
        {ta().accounts.number(shown.length)}
      </p>
      <Rows things={shown} keyOf={({ user_id: id }) => id} height={ROW_PIXELS} label={ta().accounts.all}>
        {(person) => (
          <button class="person-row" onClick={() => setOpen(person.user_id)}>
            <Avatar userId={person.user_id} size={32} />
            <span class="account-names">
              <bdi>{person.full_name}</bdi>
              <bdi class="note">{addressOf(person) ?? ta().accounts.noAddress}</bdi>
            </span>
            <span class="note">{t().people.roles[person.role]}</span>
          </button>
        )}
      </Rows>
      {isMaking && (
        <NewAccount
          onClose={(id) => {
            setMaking(false)
            setOpen(id)
          }}
        />
      )}
      {open !== undefined && <AccountDialog key={open} userId={open} onClose={() => setOpen(undefined)} />}
    </div>
  )
}

/** Where an account is made. @param onClose is called with the id of the person once it is there */
function NewAccount({ onClose }: { readonly onClose: (id?: number) => void }) {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [refusal, run] = useRefusal()
  const save = async (): Promise<void> => {
    setBusy(true)
    let id: number | undefined
    const isDone = await run(async () => {
      id = await openAccount({ email: email.trim(), full_name: name.trim(), password })
    })
    if (isDone) onClose(id)
    else setBusy(false)
  }
  return (
    <Dialog title={ta().accounts.create} onClose={() => onClose()}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
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
            maxLength={users.MAX_FULL_NAME}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <label class="field">
          <span>{ta().accounts.password}</span>
          <input
            class="input"
            type="password"
            required
            autocomplete="new-password"
            value={password}
            onInput={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        </label>
        <p class="note">{ta().accounts.passwordMore}</p>
        {refusal}
        <DialogActions action={ta().accounts.create} isDisabled={isBusy} onCancel={() => onClose()} />
      </form>
    </Dialog>
  )
}
