/** The addresses of these pages. */
export const START = '/sandbox/tpp';
export const CALLBACK = `${START}/callback`;
export const WALKS = `${START}/walks`;

export const walkPath = (id: string): string => `${WALKS}/${id}`;
export const actionPath = (id: string, action: string): string => `${walkPath(id)}/${action}`;
