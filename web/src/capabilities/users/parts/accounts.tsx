import { users } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { dayTitle } from '../../../kernel/time.ts'
import { store } from '../../../platform/client.ts'
import { FilterField } from '../../../platform/dom/filter-field.tsx'
import { PasswordField } from '../../../platform/dom/password-field.tsx'
import { useFetched } from '../../../platform/list/fetched.ts'
import { OpenedList } from '../../../platform/list/opened-list.tsx'
import { LoadFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { askConfirmation } from '../../../platform/overlay/confirm.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { FormDialog } from '../../../platform/overlay/form-dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { useSavedChoice } from '../../../platform/settings/choosing.tsx'
import { TextField } from '../../../platform/settings/text-editor.tsx'
import {
  findAccounts,
  addressOf,
  createAccount,
  OWNER_ROLE,
  ROLES,
  type Role,
  copyPasswordLink,
  deactivateUser,
  reactivateUser,
  removeSecondFactorOf,
  renameUser,
  fetchSecondFactorTime,
  setRole,
  type Person,
} from '../accounts.ts'
import { isOwner, ownId, userById } from '../state.ts'
import { Avatar } from './avatar.tsx'
import { ProfileFields } from './own-fields.tsx'
import './accounts.css'

const ROW_HEIGHT_PIXELS = 52

export function Accounts() {
  const [query, setQuery] = useState('')
  const [role, selectRole] = useState<Role>()
  const [isActive, setActive] = useState(true)
  const shown = findAccounts(query, role, isActive)
  return (
    <OpenedList
      label={ta().accounts.all}
      things={shown}
      idOf={({ user_id: id }) => id}
      height={ROW_HEIGHT_PIXELS}
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
            onChange={({ currentTarget }) => selectRole(ROLES.find((one) => String(one) === currentTarget.value))}
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

interface AccountDialogProps {
  readonly userId: number
  readonly onClose: () => void
}

function AccountDialog({ userId, onClose }: AccountDialogProps) {
  // Subscribes explicitly, because events change users in place.
  void [store().read('realm_users'), store().read('realm_non_active_users')]
  const person = userById(userId)
  if (person === undefined) return null
  const { full_name: name, role, is_active: isActive } = person
  const isFixed = role === OWNER_ROLE && !isOwner()
  return (
    <Dialog title={name} onClose={onClose}>
      <div class="form">
        {isFixed && <p class="note">{ta().accounts.onlyOwners}</p>}
        <TextField
          label={ta().accounts.name}
          value={name}
          maxLength={users.MAX_FULL_NAME_CHARACTERS}
          isRequired
          isFixed={isFixed || !isActive}
          save={async (text) => renameUser(userId, text)}
        />
        <div class="field">
          <span>{ta().accounts.email}</span>
          <bdi>{addressOf(person) ?? ta().accounts.noAddress}</bdi>
        </div>
        <RoleField person={person} role={role} isFixed={isFixed || !isActive} />
        {!isFixed && isActive && store().read('custom_profile_fields').length > 0 && (
          <section class="form">
            <h3>{ta().accounts.fields}</h3>
            <ProfileFields of={userId} />
          </section>
        )}
        {!isFixed && isActive && userId !== ownId() && <Password person={person} />}
        {!isFixed && userId !== ownId() && <SecondFactor person={person} />}
        {!isFixed && userId !== ownId() && <Activity person={person} isActive={isActive} />}
      </div>
    </Dialog>
  )
}

interface RoleFieldProps {
  readonly person: Person
  readonly role: Person['role']
  readonly isFixed: boolean
}

function RoleField({ person: { user_id: userId, full_name: name }, role, isFixed }: RoleFieldProps) {
  const { said, refusal, choose } = useSavedChoice(() => ta().accounts.role, true)
  return (
    <>
      <label class="field">
        <span>
          {ta().accounts.role} {said}
        </span>
        <select
          class="input"
          disabled={isFixed}
          value={String(role)}
          onChange={({ currentTarget }) => {
            const chosen = ROLES.find((one) => String(one) === currentTarget.value) ?? role
            const save = (): void =>
              void choose(
                async () => setRole(userId, chosen),
                async () => setRole(userId, role),
              )
            if (chosen !== OWNER_ROLE) return save()
            // Shows the current role until the new one is confirmed.
            currentTarget.value = String(role)
            askConfirmation({ text: ta().accounts.ownerSure(name), action: ta().accounts.makeOwner, run: save })
          }}
        >
          {ROLES.filter((one) => one !== OWNER_ROLE || role === OWNER_ROLE || isOwner()).map((one) => (
            <option key={one} value={String(one)}>
              {t().people.roles[one]}
            </option>
          ))}
        </select>
      </label>
      {refusal}
    </>
  )
}

/** Copies a password reset link, for servers that send no email. */
function Password({ person }: { readonly person: Person }) {
  const [refusal, run] = useRefusal()
  return (
    <section class="form">
      <h3>{tl().signIn.password}</h3>
      <p class="note">{ta().accounts.passwordLinkMore}</p>
      <div>
        <button class="button" onClick={() => void run(async () => copyPasswordLink(person))}>
          {ta().accounts.passwordLink}
        </button>
      </div>
      {refusal}
    </section>
  )
}

/** Lets administrators remove 2FA for users who lost their device. Fetches the state, because no event reports it. */
function SecondFactor({ person }: { readonly person: Person }) {
  const { user_id: userId, full_name: name } = person
  const { value: since, hasFailed, again } = useFetched(async () => fetchSecondFactorTime(userId), userId)
  const [refusal, run] = useRefusal()
  const ask = (): void =>
    askConfirmation({
      text: ta().accounts.secondFactorSure(name),
      action: ta().accounts.removeSecondFactor,
      run: () => void run(async () => removeSecondFactorOf(person).finally(again)),
    })
  return (
    <section class="form">
      <h3>{ta().accounts.secondFactor}</h3>
      {hasFailed && <LoadFailure again={again} />}
      {!hasFailed && since === undefined && <LoadingRows rows={1} />}
      {since === null && <p class="note">{ta().accounts.noSecondFactor}</p>}
      {typeof since === 'number' && (
        <>
          <p>{ta().accounts.secondFactorSince(dayTitle(since))}</p>
          <div>
            <button class="button danger" onClick={ask}>
              {ta().accounts.removeSecondFactor}
            </button>
          </div>
        </>
      )}
      {refusal}
    </section>
  )
}

function Activity({ person, isActive }: { readonly person: Person; readonly isActive: boolean }) {
  const [refusal, run] = useRefusal()
  const ask = (): void =>
    askConfirmation({
      text: ta().accounts.deactivateSure(person.full_name),
      action: ta().accounts.deactivate,
      run: () => void run(async () => deactivateUser(person)),
    })
  return (
    <>
      {refusal}
      <div class="dialog-actions">
        {isActive ? (
          <button class="button danger" onClick={ask}>
            {ta().accounts.deactivate}
          </button>
        ) : (
          <button class="button" onClick={() => void run(async () => reactivateUser(person))}>
            {ta().accounts.reactivate}
          </button>
        )}
      </div>
    </>
  )
}
