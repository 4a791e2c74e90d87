/** Holds an admin's session on the status page; nothing behind the entry may set it. */
export const ADMIN_COOKIE = 'voxpool_admin'
