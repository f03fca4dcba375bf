import { users } from '@parley/server/contract'
import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { OrderedList } from '../../../platform/list/ordered.tsx'
import { EmptyState } from '../../../platform/list/states.tsx'
import { askConfirmation } from '../../../platform/overlay/confirm.tsx'
import { Dialog, DialogActions } from '../../../platform/overlay/dialog.tsx'
import { NameField } from '../../../platform/overlay/form-dialog.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import {
  deleteField,
  orderedFields,
  orderFields,
  type Field,
  CUSTOM_ACCOUNT_TYPE,
  createFieldDraft,
  createFieldOption,
  saveDraft,
  type FieldDraft,
} from '../fields.ts'

export function Fields() {
  const [open, setOpen] = useState<{ readonly field: Field | undefined }>()
  const [refusal, run] = useRefusal()
  const all = orderedFields()
  const remove = (field: Field): void =>
    askConfirmation({
      text: ta().fields.deleteSure(field.name),
      action: ta().fields.delete,
      run: () => void run(async () => deleteField(field)),
    })
  return (
    <div class="form">
      {all.length === 0 ? (
        <EmptyState icon="person" title={ta().fields.none} more={ta().fields.noneMore} />
      ) : (
        <OrderedList
          label={ta().fields.all}
          things={all}
          keyOf={({ id }) => id}
          nameOf={({ name }) => name}
          onOrder={(ordered) => void run(async () => orderFields(ordered))}
        >
          {(field) => (
            <>
              <bdi class="ordered-text">{field.name}</bdi>
              <span class="note">{ta().fields.kinds[field.type]}</span>
              <button class="icon-button" aria-label={ta().fields.edit(field.name)} onClick={() => setOpen({ field })}>
                <Icon name="edit" size={16} />
              </button>
              <button
                class="icon-button"
                aria-label={`${ta().fields.delete}: ${field.name}`}
                onClick={() => remove(field)}
              >
                <Icon name="delete" size={16} />
              </button>
            </>
          )}
        </OrderedList>
      )}
      {refusal}
      <div>
        <button class="button primary" onClick={() => setOpen({ field: undefined })}>
          <Icon name="plus" size={16} />
          {ta().fields.create}
        </button>
      </div>
      {open !== undefined && <FieldDialog field={open.field} onClose={() => setOpen(undefined)} />}
    </div>
  )
}

interface FieldDialogProps {
  readonly field: Field | undefined
  readonly onClose: () => void
}

function FieldDialog({ field, onClose }: FieldDialogProps) {
  const [draft, setDraft] = useState(() => createFieldDraft(field))
  const [isBusy, setBusy] = useState(false)
  const [refusal, run] = useRefusal()
  const change = (changed: Partial<FieldDraft>): void => setDraft({ ...draft, ...changed })
  const save = async (): Promise<void> => {
    setBusy(true)
    if (await run(async () => saveDraft(draft, field))) onClose()
    else setBusy(false)
  }
  return (
    <Dialog title={field === undefined ? ta().fields.create : ta().fields.edit(field.name)} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <NameField
          label={ta().fields.name}
          value={draft.name}
          maxLength={users.MAX_FIELD_NAME_CHARACTERS}
          onChange={(name) => change({ name })}
        />
        {field === undefined && <KindField draft={draft} onChange={change} />}
        <label class="field">
          <span>{ta().fields.hint}</span>
          <input
            class="input"
            dir="auto"
            maxLength={users.MAX_FIELD_HINT_CHARACTERS}
            value={draft.hint}
            onInput={({ currentTarget }) => change({ hint: currentTarget.value })}
          />
        </label>
        {draft.type === users.FIELD_TYPE.select && <Choices draft={draft} onChange={change} />}
        {draft.type === users.FIELD_TYPE.externalAccount && <Account draft={draft} onChange={change} />}
        <Flags draft={draft} onChange={change} />
        {refusal}
        <DialogActions
          action={field === undefined ? ta().fields.create : ta().fields.save}
          isDisabled={isBusy}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

interface PartProps {
  readonly draft: FieldDraft
  readonly onChange: (changed: Partial<FieldDraft>) => void
}

function KindField({ draft, onChange }: PartProps) {
  const kinds = Object.values(users.FIELD_TYPE)
  return (
    <label class="field">
      <span>{ta().fields.kind}</span>
      <select
        class="input"
        value={String(draft.type)}
        onChange={({ currentTarget }) =>
          onChange({ type: kinds.find((kind) => String(kind) === currentTarget.value) ?? draft.type })
        }
      >
        {kinds.map((kind) => (
          <option key={kind} value={String(kind)}>
            {ta().fields.kinds[kind]}
          </option>
        ))}
      </select>
    </label>
  )
}

function Choices({ draft: { choices }, onChange }: PartProps) {
  return (
    <fieldset class="kinds">
      <legend>{ta().fields.choices}</legend>
      {choices.map((choice, index) => (
        <span key={choice.key} class="listed-add">
          <input
            class="input"
            required
            dir="auto"
            aria-label={ta().fields.choice(index + 1)}
            maxLength={users.MAX_SHORT_TEXT_CHARACTERS}
            value={choice.text}
            onInput={({ currentTarget }) =>
              onChange({ choices: choices.with(index, { ...choice, text: currentTarget.value }) })
            }
          />
          {choices.length > 1 && (
            <button
              class="icon-button"
              type="button"
              aria-label={ta().fields.removeChoice(index + 1)}
              onClick={() => onChange({ choices: choices.toSpliced(index, 1) })}
            >
              <Icon name="close" size={16} />
            </button>
          )}
        </span>
      ))}
      <button class="button" type="button" onClick={() => onChange({ choices: [...choices, createFieldOption()] })}>
        {ta().fields.addChoice}
      </button>
    </fieldset>
  )
}

function Account({ draft: { account, address }, onChange }: PartProps) {
  return (
    <>
      <label class="field">
        <span>{ta().fields.account}</span>
        <select
          class="input"
          value={account}
          onChange={({ currentTarget }) => onChange({ account: currentTarget.value })}
        >
          {Object.entries(users.EXTERNAL_ACCOUNTS).map(([key, { text }]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
          <option value={CUSTOM_ACCOUNT_TYPE}>{ta().fields.otherAccount}</option>
        </select>
      </label>
      {account === CUSTOM_ACCOUNT_TYPE && (
        <label class="field">
          <span>{ta().fields.accountAddress}</span>
          <input
            class="input"
            required
            inputMode="url"
            value={address}
            onInput={({ currentTarget }) => onChange({ address: currentTarget.value })}
          />
        </label>
      )}
    </>
  )
}

function Flags({ draft, onChange }: PartProps) {
  const flag = (key: 'inSummary' | 'isRequired' | 'isEditable') => (
    <label class="check">
      <input
        type="checkbox"
        checked={draft[key]}
        onChange={({ currentTarget }) => onChange({ [key]: currentTarget.checked })}
      />
      <span>{ta().fields[key]}</span>
    </label>
  )
  // Long text and lists of people do not fit on the card.
  const isShort = draft.type !== users.FIELD_TYPE.longText && draft.type !== users.FIELD_TYPE.users
  return (
    <>
      {isShort && flag('inSummary')}
      {flag('isRequired')}
      {flag('isEditable')}
    </>
  )
}
