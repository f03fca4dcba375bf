import { useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { OrderedList } from '../../../platform/list/ordered.tsx'
import { EmptyState } from '../../../platform/list/states.tsx'
import { askConfirmation } from '../../../platform/overlay/confirm.tsx'
import { useRefusal } from '../../../platform/overlay/refusal.tsx'
import { deleteField, orderedFields, orderFields, type Field } from '../fields.ts'
import { FieldDialog } from './field-dialog.tsx'

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
