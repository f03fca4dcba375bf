import { users } from '@parley/server/contract'
import { caseKey } from '@parley/server/kernel/case-key'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { FilterField } from '../../../platform/dom/filter-field.tsx'
import { OpenedList } from '../../../platform/list/opened-list.tsx'
import { EmptyState } from '../../../platform/list/states.tsx'
import { FormDialog, NameField } from '../../../platform/overlay/form-dialog.tsx'
import { Avatar } from '../../users/parts/avatar.tsx'
import { isAdministrator, ownId, userName } from '../../users/state.ts'
import { createBot } from '../actions.ts'
import { creatableBotTypes, managedBots, OUTGOING_WEBHOOK, type BotType } from '../state.ts'
import { BotDialog } from './bot-dialog.tsx'
import { AddressField, PayloadFormatSelect } from './service.tsx'

const ROW_HEIGHT_PIXELS = 52

export function Bots() {
  const [filter, setFilter] = useState('')
  const [showsAll, setShowsAll] = useState(false)
  const all = managedBots().filter(({ bot_owner_id: ownerId }) => showsAll || ownerId === ownId())
  const query = caseKey(filter.trim())
  const shown = all.filter(({ full_name: name }) => caseKey(name).includes(query))
  const kinds = creatableBotTypes()
  return (
    <OpenedList
      label={ta().bots.title}
      things={shown}
      idOf={({ user_id: id }) => id}
      height={ROW_HEIGHT_PIXELS}
      row={(bot) => (
        <>
          <Avatar userId={bot.user_id} size={32} />
          <bdi class="listed-name">{bot.full_name}</bdi>
          <span class="note">
            {bot.is_active ? <bdi>{userName(bot.bot_owner_id ?? 0)}</bdi> : ta().bots.deactivated}
          </span>
        </>
      )}
      filter={
        <>
          <FilterField label={ta().bots.find} value={filter} onChange={setFilter} />
          {isAdministrator() && (
            <select
              class="input"
              aria-label={ta().bots.whose}
              value={String(showsAll)}
              onChange={({ currentTarget }) => setShowsAll(currentTarget.value === 'true')}
            >
              <option value="false">{ta().bots.own}</option>
              <option value="true">{ta().bots.all}</option>
            </select>
          )}
        </>
      }
      create={kinds.length > 0 ? ta().bots.create : undefined}
      making={(onClose) => <NewBot kinds={kinds} onClose={onClose} />}
      opened={(id, onClose) => <BotDialog key={id} userId={id} onClose={onClose} />}
    >
      {kinds.length === 0 && <p class="note">{ta().bots.mayNot}</p>}
      {all.length === 0 && <EmptyState icon="code" title={ta().bots.none} more={ta().bots.noneMore} />}
      {all.length > 0 && shown.length === 0 && <p class="note">{t().nav.noMatch}</p>}
    </OpenedList>
  )
}

interface NewBotProps {
  readonly kinds: readonly BotType[]
  readonly onClose: (id?: number) => void
}

function NewBot({ kinds, onClose }: NewBotProps) {
  const [name, setName] = useState('')
  const [shortName, setShortName] = useState('')
  const [kind, setKind] = useState<BotType | undefined>(kinds[0])
  const [address, setAddress] = useState('')
  const [form, setForm] = useState(1)
  const save = async (): Promise<void> => {
    if (kind === undefined) return
    const service = kind === OUTGOING_WEBHOOK ? { payload_url: address.trim(), interface_type: form } : {}
    onClose(await createBot({ full_name: name.trim(), short_name: shortName.trim(), bot_type: kind, ...service }))
  }
  return (
    <FormDialog title={ta().bots.create} action={ta().bots.create} save={save} onClose={() => onClose()}>
      <NameField label={ta().bots.name} value={name} maxLength={users.MAX_FULL_NAME_CHARACTERS} onChange={setName} />
      <label class="field">
        <span>{ta().bots.shortName}</span>
        <input
          class="input"
          required
          autocapitalize="none"
          autocomplete="off"
          value={shortName}
          onInput={({ currentTarget }) => setShortName(currentTarget.value)}
        />
        <span class="note">
          {ta().bots.shortNameMore(`${shortName.trim() || '…'}-bot@${store().read('realm_bot_domain')}`)}
        </span>
      </label>
      <label class="field">
        <span>{ta().bots.kind}</span>
        <select
          class="input"
          value={String(kind)}
          onChange={({ currentTarget }) => setKind(kinds.find((one) => String(one) === currentTarget.value))}
        >
          {kinds.map((one) => (
            <option key={one} value={String(one)}>
              {ta().bots.kinds[one]}
            </option>
          ))}
        </select>
      </label>
      {kind === OUTGOING_WEBHOOK && (
        <>
          <AddressField value={address} onChange={setAddress} />
          <PayloadFormatSelect value={form} onChange={setForm} />
        </>
      )}
    </FormDialog>
  )
}
