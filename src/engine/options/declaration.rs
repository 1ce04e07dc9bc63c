//! The declaration of an option, and the macro that turns a list of declarations into the struct `Options`.

use std::path::PathBuf;

use super::OptionKind;

/// The effect of setting an option. Most options have none: a search reads them when it starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing.
    None,
    /// Empty the transposition table.
    ClearHash,
    /// Read the book.
    Book,
    /// Read the network.
    Network,
    /// Open the session's log, which is left to the engine's owner.
    Log,
}

/// The protocols that list an option. It can be set in every protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listed {
    /// In all of them.
    Everywhere,
    /// Not in CECP, which has a command for it or no use for it.
    NotInCecp,
    /// In UCI only, which defines it.
    OnlyInUci,
}

/// The declaration of an option of the struct `O`.
pub(super) struct Declaration<O> {
    pub(super) name: &'static str,
    /// A different name of the option in UCI. It is accepted in every protocol.
    pub(super) uci_name: Option<&'static str>,
    pub(super) listed: Listed,
    /// Words of a combo that only UCI lists.
    pub(super) uci_choices: &'static [&'static str],
    pub(super) effect: Effect,
    pub(super) kind: fn(&O) -> OptionKind,
    /// Reads a value. The error lists the accepted values.
    pub(super) assign: fn(&mut O, &str) -> Result<(), String>,
    /// The value, if it is a path.
    pub(super) path: fn(&mut O) -> Option<&mut PathBuf>,
}

impl<O> Declaration<O> {
    pub(super) const fn new(
        name: &'static str,
        kind: fn(&O) -> OptionKind,
        assign: fn(&mut O, &str) -> Result<(), String>,
        path: fn(&mut O) -> Option<&mut PathBuf>,
    ) -> Declaration<O> {
        let listed = Listed::Everywhere;
        Declaration { name, uci_name: None, listed, uci_choices: &[], effect: Effect::None, kind, assign, path }
    }

    /// Whether it can be set here: a web page has no files by name.
    pub(super) fn is_available(&self) -> bool {
        let is_file = matches!(self.effect, Effect::Book | Effect::Network | Effect::Log);
        !(cfg!(target_family = "wasm") && is_file)
    }

    /// Whether this is the option's name, ignoring case.
    pub(super) fn is_called(&self, name: &str) -> bool {
        let is_name = |own: &str| own.eq_ignore_ascii_case(name);
        is_name(self.name) || self.uci_name.is_some_and(is_name)
    }
}

/// Declares options: `"Name" => field: type in range, setting(value), …;` with the fields of [`Declaration`] for
/// settings, and a range for types that need one. Buttons have neither field nor type.
///
/// Generates the struct `Options` with a field for each option, and the table `DECLARATIONS` in the order of the list.
macro_rules! options {
    (
        $($(#[doc = $doc:literal])+
        $name:literal => $field:ident: $type:ident $(in $range:expr)? $(, $setting:ident($value:expr))*;)+
        buttons:
        $($button:literal $(, $button_setting:ident($button_value:expr))*;)+
    ) => {
        /// The values of all options.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Options {
            $($(#[doc = $doc])+ pub $field: $type,)+
            /// The search's parameters, which are options too if they are exposed.
            pub params: Params,
        }

        impl Options {
            /// Placeholders until the defaults of `engine.toml` are read.
            fn unset() -> Options {
                Options { $($field: Default::default(),)+ params: Params::default() }
            }
        }

        /// Every option, in the order in which they are listed.
        static DECLARATIONS: &[Declaration<Options>] = &[
            $({
                const RANGE: <$type as Value>::Range = options!(@range $($range)?);
                Declaration {
                    $($setting: $value,)*
                    ..Declaration::new(
                        $name,
                        |options: &Options| options.$field.kind(&RANGE),
                        |options: &mut Options, text| {
                            options.$field = Value::parse(text, &RANGE).ok_or_else(|| <$type>::accepted(&RANGE))?;
                            Ok(())
                        },
                        |options: &mut Options| options.$field.path(),
                    )
                }
            },)+
            $(Declaration {
                $($button_setting: $button_value,)*
                ..Declaration::new($button, |_| OptionKind::Button, |_, _| Ok(()), |_| None)
            },)+
        ];
    };
    (@range) => { () };
    (@range $range:expr) => { $range };
}

pub(super) use options;
