import '../../kernel/tables.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    user_groups: {
      organization_id: number
      id: number
      name: string
      name_key: string
      description: string
      creator_id: number | null
      date_created: number | null
      is_system_group: boolean
      deactivated: boolean
      permissions: Json<Record<string, unknown>>
    }
    group_members: { organization_id: number; group_id: number; user_id: number }
    group_subgroups: { organization_id: number; group_id: number; subgroup_id: number }
  }
}
