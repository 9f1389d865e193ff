//! Runs whose lines follow one another: what the hosts of that kind share.
//!
//! `run` keeps the turns that may be wanted, `live` makes rows and facts of one, `twins` tells the
//! second showing of a message from a second message. Which line says what, and whose words it
//! holds, is for the folder of its host to say.

mod live;
mod run;
mod twins;

pub(crate) use live::{Call, Live, Said, Told, write_keys};
pub(crate) use run::{Opened, Run};
pub(crate) use twins::{Showing, Twins};
